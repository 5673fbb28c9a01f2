import '../n8nWorkflow.ts';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { IDataObject } from 'n8n-workflow';
import { asText } from '../../../shared/values.ts';
import type { Connection } from '../platforms/told.ts';

/** What n8n's database would hold for a workflow with a polling trigger. */
export interface PolledWorkflow {
  staticData: IDataObject;
  /** What its executions were given, each as `EVENT id`. */
  given: string[];
}

/**
 * A process that polls again and again until it is killed. The known state and the given changes are stored by one rename, as n8n stores
 * them where its cursors are durable: both or neither.
 */
const { callPoll } = await import('../platforms/n8n.ts');
const { surroundingsOf } = await import('./place.ts');

process.on('disconnect', () => process.exit(0));
process.once('message', (given: { file: string; connection: Connection }) => void begin(given));
process.send?.('ready');

async function begin({ file, connection }: { file: string; connection: Connection }): Promise<void> {
  for (let round = 0; ; round += 1) {
    const { staticData, given } = JSON.parse(readFileSync(file, 'utf8')) as PolledWorkflow;
    const before = JSON.stringify(staticData);
    const items = await callPoll(surroundingsOf(connection), staticData, `workflow ${process.pid} ${round}`);
    if (items.length === 0 && JSON.stringify(staticData) === before) continue;
    const now: PolledWorkflow = { staticData, given: [...given, ...items.map(({ event, id }) => `${asText(event)} ${asText(id)}`)] };
    writeFileSync(`${file}.${process.pid}`, JSON.stringify(now));
    renameSync(`${file}.${process.pid}`, file);
  }
}
