import type { Chance } from '../random.ts';
import type { VirtualTime } from '../time.ts';
import type { WireAnswer, WireRequest } from '../wire.ts';

/** One request that a fault affects. */
export interface Struck {
  request: WireRequest;
  /** The path as the public document writes it. */
  path: string;
  time: VirtualTime;
  chance: Chance;
  /** The longest time after which a request whose answer was lost may still be carried out. */
  latestMs: number;
  /** What this fault remembers from one request of the run to the next. */
  memory: Map<string, string>;
  /** Lets the service carry the request out. */
  serve: () => Promise<WireAnswer>;
  /** Never ends; the client has to give up. */
  stall: () => Promise<never>;
  /** Ends everything that the service granted to this connection. */
  revoke: () => void;
  /** Cancels one of the bookings that the running list has shown or is going to show. */
  shrink: () => void;
}

export interface FaultKind {
  says: string;
  /** Nothing can have been carried out that its sender does not know of, so "it may exist" would be untrue. */
  isCertain?: boolean;
  /** Connecting the account again would change nothing, so advice to do so would mislead. */
  isReconnectVain?: boolean;
  /** The requests that it can affect, if not all. */
  befalls?: (request: WireRequest, path: string) => boolean;
  /** The access token has expired before the run begins. */
  expired?: boolean;
  /** It affects every request from the first one on. */
  always?: boolean;
  strike: (struck: Struck) => Promise<WireAnswer>;
}
