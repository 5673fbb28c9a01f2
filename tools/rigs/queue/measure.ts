import type { Sandbox } from '../../../sandbox/service.ts';
import { createWorkflow, publish, unpublish } from '../n8n/workflows.ts';
import { table } from '../../start/table.ts';
import { startCalCom } from './calcom.ts';
import type { Cluster } from './cluster.ts';
import { loadFrom, loadFromService, type LoadReport } from './load.ts';
import { onCalCom, onEvents, START, type Connection } from './workflows.ts';

/** Publishes a workflow with our trigger, and counts what happens to many deliveries. */
export async function measureOurs(sandbox: Sandbox, cluster: Cluster, connection: Connection, count: number): Promise<LoadReport> {
  const { session } = connection;
  const { id } = await createWorkflow(session, onEvents(connection, ['BOOKING_CREATED'], 'Many deliveries'));
  await publish(session, id);
  const report = await loadFromService(
    sandbox,
    { cluster, workflowId: id, keyOf: (execution) => execution.items(START)[0]?.['delivery_id'] },
    count,
  );
  await unpublish(session, id);
  return report;
}

/** The same for n8n's own Cal.com trigger, with bookings of the same size. */
export async function measureCalCom(sandbox: Sandbox, cluster: Cluster, { session }: Connection, count: number): Promise<LoadReport> {
  const calCom = await startCalCom();
  try {
    const { id } = await createWorkflow(session, await onCalCom(session, calCom.origin));
    await publish(session, id);
    const [booking = {}] = sandbox.bookings().slice(-1);
    const report = await loadFrom(
      (uid) => calCom.deliver(booking, uid),
      { cluster, workflowId: id, keyOf: (execution) => execution.items(START)[0]?.['uid'] },
      count,
    );
    await unpublish(session, id);
    return report;
  } finally {
    await calCom.stop();
  }
}

/** Both reports side by side: rate and loss. */
export function loadTable(reports: Record<string, LoadReport>): string {
  const rows = Object.entries(reports).map(([trigger, { sent, accepted, executed, lost, twice, refused, seconds, workers, cost }]) => [
    trigger,
    String(sent),
    String(accepted),
    String(executed),
    String(lost),
    String(twice),
    Object.entries(refused)
      .map(([status, count]) => `${count} x ${status === '0' ? 'no answer' : status}`)
      .join(', ') || 'none',
    (accepted / seconds.accepted).toFixed(1),
    (executed / seconds.executed).toFixed(1),
    Object.values(workers).join(' / '),
    `${Math.round(cost.processorMs)} ms / ${Math.round(cost.workerMs)} ms`,
  ]);
  return table(
    [
      'Trigger',
      'Sent',
      'Accepted',
      'Executed',
      'Lost',
      'Twice',
      'Refused, then sent again',
      'Accepted a second',
      'Executed a second',
      'On worker 1 / 2 / 3',
      'Processor time for each: webhook processor / worker',
    ],
    rows,
  );
}
