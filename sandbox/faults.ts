import type { MiddlewareHandler } from 'hono';
import type { Clock } from './clock.ts';
import type { Env } from './context.ts';
import { errorBodyForStatus } from './errors.ts';
import type { Forms } from './forms.ts';
import { dateHeader } from './habits.ts';
import { SENT, spoil, type Answer, type Spoilt } from './spoil.ts';

/** A fault for the next requests of a route, as data. */
export interface Fault {
  /** `POST /v1/bookings`, `GET /v1/bookings/:id`, `POST /api/oauth/token`, or `*` for every request. */
  route: string;
  kind: FaultKind;
  /** How many requests it happens to; 1 by default. */
  times?: number | 'always' | undefined;
  /** How many requests of the route pass before the first fault. */
  after?: number | undefined;
  /** The status of the answer, if the kind has one. */
  status?: number | undefined;
  /** How long the waiting kinds wait, in milliseconds of the sandbox's clock; for `slow`, between pieces. */
  delayMs?: number | undefined;
  headers?: Record<string, string> | undefined;
  /** Text is sent as it is, anything else as JSON. */
  body?: unknown;
  /** Whether the request is handled anyway. Each kind has its own default, see FAULTS. */
  commits?: boolean | undefined;
}

/** Every kind, with what it does, and whether the request is handled by default. */
export const FAULTS = {
  status: { says: 'answers `status` (500) with `headers` and `body` instead', commits: false },
  delay: { says: 'waits `delayMs`, then handles the request', commits: true },
  'delay-after': { says: 'handles the request, then waits `delayMs` before it answers', commits: true },
  'drop-before': { says: 'closes the connection and does nothing', commits: false },
  'drop-after': { says: 'handles the request, then closes the connection', commits: true },
  'reset-before': { says: 'resets the connection and does nothing', commits: false },
  'late-commit': { says: 'closes the connection, and handles the request `delayMs` (20 s) later', commits: true },
  stall: { says: 'never answers', commits: false },
  'not-json': { says: 'answers with text that is declared as JSON', commits: true },
  html: { says: "answers with a proxy's HTML page, `status` 502", commits: false },
  empty: { says: 'answers without a body', commits: true },
  'wrong-type': { says: 'answers correctly, but declares text/plain', commits: true },
  'invalid-utf8': { says: 'answers with a body that is not UTF-8', commits: true },
  truncate: { says: 'sends half of the announced body, then closes the connection', commits: true },
  'extra-bytes': { says: 'sends more than the announced length', commits: true },
  'reset-mid-body': { says: 'resets the connection in the middle of the body', commits: true },
  'stall-mid-body': { says: 'stops sending in the middle of the body', commits: true },
  slow: { says: 'sends the body in 8 pieces, `delayMs` (200) apart', commits: true },
  endless: { says: 'sends a body that does not end (1 GB)', commits: true },
  'gzip-bomb': { says: 'sends 64 MB of blanks in 64 kB of gzip', commits: true },
  redirect: { says: 'redirects with 307 to the `location` in `headers`, or to another origin', commits: false },
} as const satisfies Record<string, { says: string; commits: boolean }>;

export type FaultKind = keyof typeof FAULTS;

const DEFAULT_DELAY_MS = { 'late-commit': 20_000, slow: 200 } as const;

interface Active {
  fault: Fault;
  passing: number;
  left: number;
}

/** The faults that wait for their requests. */
export class Faults {
  readonly #clock: Clock;
  readonly #forms: Forms;
  readonly #stopped: AbortSignal;
  #active: Active[] = [];

  /** @param stopped ends the waits when the sandbox is stopped */
  constructor(clock: Clock, forms: Forms, stopped: AbortSignal) {
    this.#clock = clock;
    this.#forms = forms;
    this.#stopped = stopped;
  }

  add(fault: Fault): void {
    this.#active.push({ fault, passing: fault.after ?? 0, left: fault.times === 'always' ? Infinity : (fault.times ?? 1) });
  }

  clear(): void {
    this.#active = [];
  }

  /** The faults that have not happened often enough yet. */
  waiting(): Fault[] {
    return this.#active.map(({ fault }) => fault);
  }

  middleware(): MiddlewareHandler<Env> {
    return async (c, next) => {
      const fault = this.#take(c.req.method, c.get('entry').path);
      if (fault === undefined) return next();
      const { incoming, outgoing } = c.env;
      const commits = fault.commits ?? FAULTS[fault.kind].commits;
      const wait = (ms: number): Promise<void> => this.#clock.sleep(ms, this.#stopped);
      const delay = fault.delayMs ?? (fault.kind === 'late-commit' || fault.kind === 'slow' ? DEFAULT_DELAY_MS[fault.kind] : 1000);

      if (fault.kind === 'late-commit') incoming.socket.destroy();
      if (fault.kind === 'delay' || fault.kind === 'late-commit') await wait(delay);
      if (this.#stopped.aborted) return broken();
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
          return broken();
        case 'reset-before':
          incoming.socket.resetAndDestroy();
          return broken();
        case 'late-commit':
        case 'stall':
          return broken();
        default: {
          const right = commits ? await readAnswer(c.res) : errorAnswer(fault.status ?? (fault.kind === 'html' ? 502 : 500));
          const dated = { ...right, headers: { ...right.headers, date: dateHeader(this.#clock.now(), this.#forms) } };
          return finish(await spoil(outgoing, fault.kind, dated, fault, () => wait(delay)));
        }
      }

      function broken(): Response {
        return finish({ status: null });
      }
      function finish({ status }: Spoilt): Response {
        c.get('entry').status = status;
        c.res = SENT.clone();
        return c.res;
      }
    };
  }

  #take(method: string, path: string): Fault | undefined {
    const index = this.#active.findIndex(({ fault }) => matches(fault.route, method, path));
    const active = this.#active[index];
    if (active === undefined) return undefined;
    if (active.passing > 0) {
      active.passing -= 1;
      return undefined;
    }
    active.left -= 1;
    if (active.left <= 0) this.#active.splice(index, 1);
    return active.fault;
  }
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
