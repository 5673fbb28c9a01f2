import '../n8nWorkflow.ts';
import type { Connection } from '../platforms/told.ts';
import type { Workflow } from './place.ts';

/**
 * A process that publishes and unpublishes one workflow, again and again, until it is killed. It begins when it is told to,
 * so that its own start does not count as a moment to be killed at.
 */
const { activate, callTrigger } = await import('../platforms/n8n.ts');
const { store, stored, surroundingsOf } = await import('./place.ts');

process.on('disconnect', () => process.exit(0));
process.once('message', (given: { workflow: Workflow; connection: Connection }) => void begin(given));
process.send?.('ready');

async function begin({ workflow, connection }: { workflow: Workflow; connection: Connection }): Promise<void> {
  for (let round = 0; ; round += 1) {
    // The first round warms connections and code up; the moments that count are those of the rounds after it.
    if (round === 1) process.send?.('warm');
    // What a process keeps of an account (its pace, the list it has read) a process that was started anew does not have.
    const around = surroundingsOf({ ...connection, id: `${connection.id} ${round}` });
    const place = stored(workflow);
    await activate(around, place);
    store(workflow, place);
    await callTrigger(around, place, 'checkExists');
    await callTrigger(around, place, 'delete');
    store(workflow, place);
  }
}
