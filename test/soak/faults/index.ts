import type { Chance } from '../random.ts';
import type { VirtualTime } from '../time.ts';
import { pathOf, type Wire } from '../world.ts';
import { connectionFaults, contentFaults, listFaults } from './answers.ts';
import { clockFaults, statusFaults, tokenFaults } from './status.ts';

/** One request that a fault affects. */
export interface Struck {
  request: Request;
  /** The path as the public document writes it. */
  path: string;
  time: VirtualTime;
  chance: Chance;
  /** The longest time after which a request whose answer was lost may still be carried out. */
  latestMs: number;
  /** What this fault remembers from one request of the run to the next. */
  memory: Map<string, string>;
  /** Lets the service carry the request out. */
  serve: () => Promise<Response>;
  /** Never ends; the client has to give up. */
  stall: () => Promise<never>;
  /** Ends everything that the service granted to this connection. */
  revoke: () => Promise<void>;
  /** Cancels one of the bookings that the running list has shown or is going to show. */
  shrink: () => void;
}

export interface FaultKind {
  /** Nothing can have been carried out that its sender does not know of, so "it may exist" would be untrue. */
  isCertain?: boolean;
  /** Connecting the account again would change nothing, so advice to do so would mislead. */
  isReconnectVain?: boolean;
  /** The requests that it can affect, if not all. */
  befalls?: (request: Request, path: string) => boolean;
  /** The access token has expired before the run begins. */
  expired?: boolean;
  /** It affects every request from the first one on. */
  always?: boolean;
  strike: (struck: Struck) => Promise<Response>;
}

/** Everything that can go wrong between a client and the service, as data. */
export const faults = {
  none: { befalls: () => false, strike: ({ serve }) => serve() } satisfies FaultKind,
  ...connectionFaults,
  ...contentFaults,
  ...statusFaults,
  ...listFaults,
  ...clockFaults,
  ...tokenFaults,
};

export type FaultName = Extract<keyof typeof faults, string> | `${Extract<keyof typeof faults, number>}`;

export const faultNames = Object.keys(faults) as FaultName[];

/** Which requests of a run are affected. */
export interface Plan {
  kind: FaultName;
  /** The request that the operation is about, or any request. */
  on: 'main' | 'any';
  /** This many requests pass unharmed first. */
  after: number;
  /** Then this many are affected. */
  times: number;
}

export const planOf = (kind: FaultName, chance: Chance): Plan => {
  const { always }: FaultKind = faults[kind];
  const on = chance.happens(0.6) ? 'main' : 'any';
  return {
    kind,
    on,
    after: always === true || on === 'main' ? 0 : chance.below(3),
    times: always === true ? Infinity : chance.pick([1, 1, 1, 2, 3, Infinity]),
  };
};

/** A request that a fault has affected. */
export interface Harm {
  method: string;
  path: string;
}

type Circumstances = Omit<Struck, 'request' | 'path' | 'serve' | 'stall' | 'memory'>;

/** A wire on which the plan's fault happens. The affected requests are added to `harmed`. */
export function faultyWire(
  wire: Wire,
  plan: Plan,
  isMain: (request: Request, path: string) => boolean,
  around: Circumstances,
  harmed: Harm[],
): Wire {
  const { befalls, strike }: FaultKind = faults[plan.kind];
  const memory = new Map<string, string>();
  let passing = plan.after;
  let left = plan.times;
  const isBefallen = (request: Request, path: string): boolean => {
    if (befalls !== undefined) return befalls(request, path);
    // The token refresh has faults of its own.
    return path.startsWith('/v1/') && (plan.on === 'any' || isMain(request, path));
  };
  return async (request) => {
    const path = pathOf(request);
    if (left <= 0 || !isBefallen(request, path)) return wire(request);
    if (passing > 0) {
      passing -= 1;
      return wire(request);
    }
    left -= 1;
    harmed.push({ method: request.method, path });
    return strike({ ...around, request, path, memory, serve: () => wire(request), stall });
  };
}

/** A wait without an answer. */
export const stall = (): Promise<never> => new Promise(() => undefined);
