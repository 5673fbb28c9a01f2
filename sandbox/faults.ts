import type { MiddlewareHandler } from 'hono';
import type { Clock } from './clock.ts';
import type { Env } from './context.ts';
import { errorBodyForStatus } from './errors.ts';
import { FAULTS, type Fault } from './faultKinds.ts';
import type { Forms } from './forms.ts';
import { dateHeader } from './habits.ts';
import { SENT, spoil, type Answer } from './spoil.ts';

const DEFAULT_DELAY_MS = { 'late-commit': 20_000, slow: 200 } as const;

interface Active {
  fault: Fault;
  passing: number;
  left: number;
}

export type Faults = ReturnType<typeof createFaults>;

/**
 * The faults that wait for their requests.
 *
 * @param stopped ends the waits when the sandbox is stopped
 */
export function createFaults(clock: Clock, forms: Forms, stopped: AbortSignal) {
  let all: Active[] = [];

  function take(method: string, path: string): Fault | undefined {
    const active = all.find(({ fault }) => matches(fault.route, method, path));
    if (active === undefined) return undefined;
    if (active.passing > 0) {
      active.passing -= 1;
      return undefined;
    }
    active.left -= 1;
    if (active.left <= 0) all = all.filter((each) => each !== active);
    return active.fault;
  }

  const middleware: MiddlewareHandler<Env> = async (c, next) => {
    const fault = take(c.req.method, c.get('entry').path);
    if (fault === undefined) return next();
    const { incoming, outgoing } = c.env;
    const commits = fault.commits ?? FAULTS[fault.kind].commits;
    const wait = (ms: number): Promise<void> => clock.sleep(ms, stopped);
    const delay = fault.delayMs ?? (fault.kind === 'late-commit' || fault.kind === 'slow' ? DEFAULT_DELAY_MS[fault.kind] : 1000);

    if (fault.kind === 'late-commit') incoming.socket.destroy();
    if (fault.kind === 'delay' || fault.kind === 'late-commit') await wait(delay);
    if (stopped.aborted) return finish(null);
    if (commits) await next();
    switch (fault.kind) {
      case 'delay':
        return undefined;
      case 'delay-after':
        await wait(delay);
        return undefined;
      case 'drop-before':
      case 'drop-after':
        incoming.socket.destroy();
        return finish(null);
      case 'reset-before':
        incoming.socket.resetAndDestroy();
        return finish(null);
      case 'late-commit':
      case 'stall':
        return finish(null);
      default: {
        const right = commits ? await readAnswer(c.res) : errorAnswer(fault.status ?? (fault.kind === 'html' ? 502 : 500));
        const dated = { ...right, headers: { ...right.headers, date: dateHeader(clock.now(), forms) } };
        return finish(await spoil(outgoing, fault.kind, dated, fault, () => wait(delay)));
      }
    }

    /** @param status null if the client got none, or not all of the answer */
    function finish(status: number | null): Response {
      c.get('entry').status = status;
      c.res = SENT.clone();
      return c.res;
    }
  };

  return {
    middleware,
    add: (fault: Fault): void =>
      void all.push({ fault, passing: fault.after ?? 0, left: fault.times === 'always' ? Infinity : (fault.times ?? 1) }),
    clear(): void {
      all = [];
    },
    /** The faults that have not happened often enough yet. */
    waiting: (): Fault[] => all.map(({ fault }) => fault),
  };
}

function matches(route: string, method: string, path: string): boolean {
  if (route === '*') return !path.startsWith('/host');
  const [routeMethod, routePath = ''] = route.split(' ', 2);
  if (routeMethod !== '*' && routeMethod !== method) return false;
  const expected = routePath.split('/');
  const actual = path.split('/');
  return expected.length === actual.length && expected.every((segment, index) => segment.startsWith(':') || segment === actual[index]);
}

async function readAnswer(response: Response): Promise<Answer> {
  return { status: response.status, headers: Object.fromEntries(response.headers), body: Buffer.from(await response.arrayBuffer()) };
}

function errorAnswer(status: number): Answer {
  return { status, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(errorBodyForStatus(status))) };
}
