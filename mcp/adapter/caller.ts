import type { ServerContext } from '@modelcontextprotocol/server';
import type { ServiceError } from '../../shared/client/index.ts';
import type { Operation } from '../../shared/operations/index.ts';
import type { CallingAccount } from './account.ts';
import type { Told } from './singleFlight.ts';
import type { Tool } from './tools.ts';

/** What a call needs of its request. */
export interface CallContext {
  mcpReq: Pick<ServerContext['mcpReq'], 'signal' | 'inputResponses' | 'requestState'>;
}

/** What a call needs. */
export interface Caller {
  account: CallingAccount;
  /** All tools that this client is offered, to suggest the next step. */
  tools: readonly Tool[];
  /** All operations, whether they are offered or not. */
  operations: readonly Operation[];
  /** When the call came. Milliseconds since the epoch. */
  begunAt: number;
  /** Whether the client can ask its person. */
  canAsk: boolean;
  context: CallContext;
  /** Takes what to do once the answer to this call was written out, or could not be. */
  whenTold: (told: Told) => void;
  /** Takes the names of arguments that the client's host has added. */
  unread: (names: readonly string[]) => void;
  /** The words in which a model reads an error. */
  explain: (error: ServiceError) => string;
}
