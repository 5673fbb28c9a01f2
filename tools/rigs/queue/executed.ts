import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/v4';
import { readStored, type Execution } from '../n8n/executions.ts';
import type { Cluster, Member } from './cluster.ts';

const Count = z.object({ unfinished: z.number(), finished: z.number() });
const Stored = z.looseObject({ id: z.coerce.string() });

/** How many executions of a workflow have ended and how many have not, according to the database. */
export async function countExecutions({ postgres }: Cluster, workflowId: string): Promise<z.infer<typeof Count>> {
  const sql = `SELECT count(*) FILTER (WHERE status IN ('new', 'running', 'waiting'))::int AS unfinished, count(*) FILTER (WHERE status NOT IN ('new', 'running', 'waiting'))::int AS finished FROM execution_entity WHERE "workflowId" = $1`;
  const [row] = await postgres.query(sql, [workflowId]);
  return Count.parse(row);
}

/** How long a worker may take to begin what is in the queue. */
const BEGUN_WITHIN_MS = 60_000;
const STUCK_MS = 90_000;

/**
 * Waits until this many executions of a workflow have ended and none is running, or until none is running and no more begin.
 *
 * @throws an error if some are running and none has ended for a minute and a half
 */
export async function executionsEnded(cluster: Cluster, workflowId: string, expected: number): Promise<void> {
  let last = { unfinished: -1, finished: -1 };
  for (let moved = Date.now(); Date.now() - moved < STUCK_MS; await sleep(200)) {
    const now = await countExecutions(cluster, workflowId);
    if (now.finished !== last.finished || now.unfinished !== last.unfinished) moved = Date.now();
    if (now.unfinished === 0 && (now.finished >= expected || Date.now() - moved > BEGUN_WITHIN_MS)) return;
    last = now;
  }
  throw new Error(
    `${last.unfinished} executions are under way, ${last.finished} have ended, and nothing has moved for a minute and a half.`,
  );
}

/** Every execution of a workflow, directly from the database, oldest first. The REST interface returns only a hundred at a time. */
export async function* allExecutions({ postgres }: Cluster, workflowId: string): AsyncGenerator<Execution> {
  const sql = `SELECT e.id, e.status, e.mode, to_json(e."startedAt") #>> '{}' AS "startedAt", to_json(e."stoppedAt") #>> '{}' AS "stoppedAt", d.data FROM execution_entity e JOIN execution_data d ON d."executionId" = e.id WHERE e."workflowId" = $1 AND e.id > $2 ORDER BY e.id LIMIT 500`;
  for (let after = 0; ; ) {
    const rows = z.array(Stored).parse(await postgres.query(sql, [workflowId, after]));
    for (const row of rows) yield readStored(row);
    const last = rows.at(-1);
    if (last === undefined) return;
    after = Number(last.id);
  }
}

/** The ids of the executions that a worker has begun, from its log. */
export function executionsOn(worker: Member): string[] {
  return [...worker.log().matchAll(/Worker started execution (\d+) /g)].map(([, id = '']) => id);
}
