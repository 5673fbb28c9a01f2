import '../n8nWorkflow.ts';
import type { Connection } from '../platforms/told.ts';
import type { Workflow } from './place.ts';

/**
 * A process that publishes and unpublishes one workflow again and again until it is killed. It begins when it is told to, so that it is
 * never killed while it is still starting.
 */
const { activate, callTrigger } = await import('../platforms/n8n.ts');
const { store, stored, surroundingsOf } = await import('./place.ts');

process.on('disconnect', () => process.exit(0));
process.once('message', (given: { workflow: Workflow; connection: Connection }) => void begin(given));
process.send?.('ready');

async function begin({ workflow, connection }: { workflow: Workflow; connection: Connection }): Promise<void> {
  for (let round = 0; ; round += 1) {
    // The first round warms up connections and code. Only moments in later rounds count.
    if (round === 1) process.send?.('warm');
    // What a process remembers about an account (its pace, the list it has read), which a newly started process does not have.
    const around = surroundingsOf({ ...connection, id: `${connection.id} ${round}` });
    const place = stored(workflow);
    await activate(around, place);
    store(workflow, place);
    await callTrigger(around, place, 'checkExists');
    await callTrigger(around, place, 'delete');
    store(workflow, place);
  }
}
