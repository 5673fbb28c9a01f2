import type { Chance } from '../random.ts';
import type { VirtualTime } from '../time.ts';
import type { WireAnswer, WireRequest } from '../wire.ts';

/** One request that a fault befalls. */
export interface Struck {
  request: WireRequest;
  /** As the public document writes it. */
  path: string;
  time: VirtualTime;
  chance: Chance;
  /** What this fault remembers from one request of the run to the next. */
  memory: Map<string, string>;
  /** Lets the service carry the request out. */
  serve: () => Promise<WireAnswer>;
  /** Never comes to an end; the client has to lose patience. */
  stall: () => Promise<never>;
  /** Ends everything that the service granted to this connection. */
  revoke: () => void;
  /** Cancels one of the bookings that the list under way has shown or is going to show. */
  shrink: () => void;
}

export interface FaultKind {
  says: string;
  /** Whether a request that it befalls may have been carried out without its sender being told. */
  isAmbiguous?: boolean;
  /** Nothing can have been carried out that its sender was not told of: "it may exist" would be untrue. */
  isCertain?: boolean;
  /** The answer itself may tell what became of the request: "it may exist" is right, whatever a look shows. */
  isMisleading?: boolean;
  /** Connecting the account again would change nothing: whoever is asked to do so is misled. */
  isReconnectVain?: boolean;
  /** The requests that it can befall, where not all. */
  befalls?: (request: WireRequest, path: string) => boolean;
  /** The access token of the run has expired before it begins. */
  expired?: boolean;
  /** It befalls every request from the first one on. */
  always?: boolean;
  strike: (struck: Struck) => Promise<WireAnswer>;
}
