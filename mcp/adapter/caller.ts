import type { ServerContext } from '@modelcontextprotocol/server';
import type { ServiceError } from '../../shared/client/index.ts';
import type { Operation } from '../../shared/operations/index.ts';
import type { CallingAccount } from './account.ts';
import type { Told } from './singleFlight.ts';
import type { Tool } from './tools.ts';

/** The parts of its request that a call needs. */
export interface CallContext {
  mcpReq: Pick<ServerContext['mcpReq'], 'signal' | 'inputResponses' | 'requestState'>;
}

/** The environment of a call. */
export interface Caller {
  account: CallingAccount;
  /** All tools offered to this client, from which the next step is suggested. */
  tools: readonly Tool[];
  /** All operations, whether offered or not. */
  operations: readonly Operation[];
  /** When the call arrived. Milliseconds since the epoch. */
  begunAt: number;
  /** Whether the client can ask its person. */
  canAsk: boolean;
  context: CallContext;
  /** Takes a function to call once the result of this call was written out, or could not be. */
  whenTold: (told: Told) => void;
  /** Takes the names of arguments that the client's host added. */
  unread: (names: readonly string[]) => void;
  /** Returns the text of an error for a model. */
  explain: (error: ServiceError) => string;
}
