import { createClient } from '../../../shared/api/client.ts';
import { accountLimiter } from '../../../shared/api/limiter.ts';
import { patient } from '../../../shared/api/retry.ts';
import { getCurrentUser } from '../../../shared/operations/index.ts';
import { FORMS, type Forms, type Limits } from '../../../sandbox/service.ts';
import type { Options } from '../options.ts';
import { chance, seedOf } from '../random.ts';
import { VirtualTime } from '../time.ts';
import { parsed } from '../wire.ts';
import { createWorld } from '../world.ts';

export const limiterKinds = ['fixed', 'sliding', 'bucket'] as const satisfies readonly Limits['kind'][];
export const headerForms: readonly Forms['rateLimit'][] = FORMS.rateLimit.values;

export interface LimitsCase {
  kind: Limits['kind'];
  header: Forms['rateLimit'];
  /** Programs that do not know of each other. */
  processes: number;
  /** All of them together. */
  requests: number;
  seed: number;
}

export interface LimitsResult {
  done: number;
  failed: number;
  /** Requests that the service refused for the rate. */
  refused: number;
  /** The share used of what the service would have let through in that time. */
  utilisation: number;
}

const AT_ONCE = 12;
const LATENCY_MS = 120;
const ALLOWED = 1000;
const WINDOW_MS = 60_000;

/** A crowd of requests under the limit of section 8, from one process or from several that cannot see each other. */
export async function underLimit({ kind, header, processes, requests, seed }: LimitsCase): Promise<LimitsResult> {
  const time = new VirtualTime();
  const luck = chance(seedOf('limits', kind, header, processes, seed));
  const world = await createWorld(time, false, { limits: { kind }, forms: { rateLimit: header } });
  const { access_token: token } = world.sandbox.issueToken({ expiresInSeconds: 1_000_000_000 });
  const result: LimitsResult = { done: 0, failed: 0, refused: 0, utilisation: 0 };
  const clock = { now: () => time.now(), sleep: (ms: number) => time.sleep(ms), random: () => luck.next() };
  const never = new AbortController().signal;
  const begun = time.now();

  const oneProcess = async (count: number): Promise<void> => {
    const client = createClient({
      baseUrl: world.sandbox.baseUrl,
      clock,
      patience: patient,
      limiter: accountLimiter().for('bulk'),
      transport: async ({ method, url, headers }) => {
        await time.sleep(LATENCY_MS / 2 + luck.below(LATENCY_MS));
        const answer = await world.wire({ method, url, headers: { ...headers, authorization: `Bearer ${token}` } }, never);
        if (answer.status === 429) result.refused += 1;
        return { status: answer.status, headers: answer.headers, body: parsed(answer.body.toString('utf8')) };
      },
    });
    let left = count;
    const worker = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        await getCurrentUser.run(client, {}, {}).then(
          () => (result.done += 1),
          () => (result.failed += 1),
        );
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  };
  await Promise.all(Array.from({ length: processes }, () => oneProcess(requests / processes)));
  const elapsed = time.now() - begun;
  await world.sandbox.stop();
  // A window that is open at the start lets its whole allowance through at once.
  return { ...result, utilisation: Math.min(1, requests / (ALLOWED + (elapsed / WINDOW_MS) * ALLOWED)) };
}

export async function limitsSuite({ runs, seed }: Options): Promise<boolean> {
  const started = performance.now();
  const rows: (LimitsResult & { processes: number })[] = [];
  for (const processes of [1, 4]) {
    for (const kind of limiterKinds) {
      for (const header of headerForms) {
        const result = await underLimit({ kind, header, processes, requests: runs, seed });
        rows.push({ processes, ...result });
        console.log(
          `${processes} process${processes === 1 ? ' ' : 'es'}  ${kind.padEnd(7)}  ${header.padEnd(23)}  failed ${result.failed}  refused ${result.refused} of ${runs} (${((100 * result.refused) / runs).toFixed(2)} %)  used ${(100 * result.utilisation).toFixed(1)} %`,
        );
      }
    }
  }
  const failed = rows.reduce((sum, row) => sum + row.failed, 0);
  const most = (processes: number): number =>
    Math.max(...rows.filter((row) => row.processes === processes).map(({ refused }) => refused / runs));
  console.log(
    JSON.stringify({
      suite: 'limits',
      seed,
      cases: rows.length,
      requestsEach: runs,
      failed,
      mostRefusedAlone: most(1),
      mostRefusedOfFour: most(4),
      leastUsed: Math.min(...rows.map(({ utilisation }) => utilisation)),
      seconds: Math.round((performance.now() - started) / 1000),
    }),
  );
  return failed === 0 && most(1) === 0;
}
