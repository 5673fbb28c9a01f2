import * as z from 'zod/v4';
import { type Booking, type Delivery, type Limits, type Sandbox, startSandbox } from '../../sandbox/service.ts';
import { brand } from '../../shared/brand.ts';
import { sign } from '../../shared/webhooks/signature.ts';
import type { Execution } from '../../tools/rigs/n8n/executions.ts';
import type { N8nSession } from '../../tools/rigs/n8n/session.ts';
import { createWorkflow, getWorkflow, publish, unpublish } from '../../tools/rigs/n8n/workflows.ts';
import { type ClusterOptions, type ConnectedCluster, openConnectedCluster } from '../../tools/rigs/queue/cluster.ts';
import { START, allExecutions } from '../../tools/rigs/queue/workflows.ts';

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

const HOUR_MS = 60 * 60_000;

/** People who want to be booked, each at an hour of a year of their own: no two of them at once. */
export const people = (count: number, of: string, year: number): { name: string; email: string; start: string }[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `${of} ${index}`,
    email: `${of}.${index}@example.com`,
    start: new Date(Date.UTC(year, 0, 1) + index * HOUR_MS).toISOString(),
  }));

/** What is booked at a sandbox, and what it delivers about it. */
export class Bookings {
  readonly #sandbox: Sandbox;
  #booked = 0;

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
  }

  /** An event type that can be booked without approval and without answers. */
  get simpleType(): string {
    const type = this.#sandbox
      .eventTypes()
      .find(({ active, requires_approval, questions }) => active && !requires_approval && questions.length === 0);
    if (type === undefined) throw new Error('The seed has no event type without questions.');
    return type.id;
  }

  /** Somebody books on the service's own page; each time another hour of one far year. */
  make(count: number): Booking[] {
    return Array.from({ length: count }, () =>
      this.#sandbox.host.book({
        event_type_id: this.simpleType,
        start_time: new Date(Date.UTC(2062, 0, 1) + (this.#booked += 1) * HOUR_MS).toISOString(),
      }),
    );
  }

  deliveriesOf(made: Booking[], to: (delivery: Delivery) => boolean = () => true): Delivery[] {
    return this.#sandbox.deliveries().filter((delivery) => to(delivery) && made.some(({ id }) => delivery.body.includes(id)));
  }

  /** Those of {@link people} that have been made. */
  of(whom: string): Booking[] {
    return this.#sandbox.bookings().filter(({ invitee_email }) => invitee_email.startsWith(`${whom}.`));
  }
}

const Kept = z.looseObject({
  staticData: z.record(z.string(), z.record(z.string(), z.looseObject({ signing_secret: z.string().optional() }))),
});

/** The signing secret that a published trigger keeps in n8n's database. */
export async function keptSecret(session: N8nSession, workflowId: string, trigger: string): Promise<string> {
  const slots = Object.values(Kept.parse(await getWorkflow(session, workflowId)).staticData[`node:${trigger}`] ?? {});
  const [secret] = slots.flatMap(({ signing_secret }) => signing_secret ?? []);
  if (secret === undefined) throw new Error(`n8n keeps no signing secret of '${trigger}'.`);
  return secret;
}

/** Sends a delivery of the service's log to another address, signed with a secret. */
export async function send({ body, event, id, created_at }: Delivery, to: string, secret: string): Promise<number> {
  const headers = {
    'content-type': 'application/json',
    [`${brand.headerPrefix}-Event`]: event,
    [`${brand.headerPrefix}-Delivery-ID`]: id,
    [`${brand.headerPrefix}-Timestamp`]: created_at,
    [`${brand.headerPrefix}-Signature`]: sign(body, secret),
  };
  const response = await fetch(to, { method: 'POST', body, headers });
  await response.body?.cancel();
  return response.status;
}
