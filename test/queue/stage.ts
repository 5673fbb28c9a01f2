import type { ClusterOptions } from '../../tools/rigs/queue/cluster.ts';
import { allExecutions } from '../../tools/rigs/queue/executed.ts';
import { openConnectedCluster, type ConnectedCluster } from '../../tools/rigs/queue/connected.ts';
import { START } from '../../tools/rigs/queue/workflows.ts';
import type { Execution } from '../../tools/rigs/n8n/executions.ts';
import { createWorkflow, publish, unpublish } from '../../tools/rigs/n8n/workflows.ts';
import { startSandbox, type Limits, type Sandbox } from '../../sandbox/service.ts';
import { Bookings } from './bookings.ts';

/** n8n in queue mode, connected to a sandbox, for the tests of one file. */
export class QueueStage {
  readonly #published: string[] = [];

  readonly sandbox: Sandbox;
  readonly connected: ConnectedCluster;
  readonly bookings: Bookings;

  private constructor(sandbox: Sandbox, connected: ConnectedCluster) {
    this.sandbox = sandbox;
    this.connected = connected;
    this.bookings = new Bookings(sandbox);
  }

  static async open(limits: Partial<Limits>, options: Pick<ClusterOptions, 'extra' | 'workers'> = {}): Promise<QueueStage> {
    // Every test publishes: with the service's 10 subscription requests a minute, some would have to wait for the next minute.
    const sandbox = await startSandbox({ limits: { hooks: 1_000, ...limits } });
    try {
      return new QueueStage(sandbox, await openConnectedCluster(sandbox, options));
    } catch (error) {
      await sandbox.stop();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.connected.stop();
    await this.sandbox.stop();
  }

  /** A published workflow, until `unpublish`. */
  async live(file: Parameters<typeof createWorkflow>[1]): Promise<string> {
    const { id } = await createWorkflow(this.connected.session, file);
    this.#published.push(id);
    await publish(this.connected.session, id);
    return id;
  }

  /** A workflow that a test publishes itself is unpublished as well. */
  alsoPublished(id: string): void {
    this.#published.push(id);
  }

  async unpublish(): Promise<void> {
    for (const id of this.#published.splice(0)) await unpublish(this.connected.session, id);
  }

  async executions(workflowId: string): Promise<Execution[]> {
    const all: Execution[] = [];
    for await (const execution of allExecutions(this.connected.cluster, workflowId)) all.push(execution);
    return all;
  }

  /** The deliveries that an execution has succeeded with. One that n8n could not start on a busy machine came again. */
  async executed(workflowId: string): Promise<Set<unknown>> {
    return new Set(deliveryIds((await this.executions(workflowId)).filter(({ status }) => status === 'success')));
  }

  /** Starts a workflow by its own webhook. @returns the status of the answer */
  async post(path: string, items: unknown[]): Promise<number> {
    const response = await fetch(this.connected.cluster.origin + path, {
      method: 'POST',
      body: JSON.stringify({ items }),
      headers: { 'content-type': 'application/json' },
    });
    await response.body?.cancel();
    return response.status;
  }
}

export const deliveryIds = (all: Execution[]): unknown[] =>
  all.flatMap((execution) => execution.items(START).map((item) => item['delivery_id']));
