import { ProtocolErrorCode, type JSONRPCMessage } from '@modelcontextprotocol/server';
import { isObject } from '../shared/values.ts';

/**
 * Runs a call of a tool. @returns its result, or `undefined` if the SDK has to run it: the tool is unknown, or may have to ask the person
 */
export type CallDirectly = (name: string, given: Record<string, unknown>, signal: AbortSignal) => Promise<object> | undefined;

type Id = string | number;

/**
 * Tool calls that do not go through the SDK. It checks each message about ten times against schemas, which takes as long as all of our own
 * work. A call in the usual form needs none of this: its arguments are checked by the form of its operation. Everything else stays with
 * the SDK: other messages, calls in any other form, and tools that may ask the person.
 */
export class DirectCalls {
  readonly #call: CallDirectly;
  readonly #answer: (message: JSONRPCMessage) => void;
  readonly #underWay = new Map<Id, AbortController>();

  constructor(call: CallDirectly, answer: (message: JSONRPCMessage) => void) {
    this.#call = call;
    this.#answer = answer;
  }

  /** @returns whether the message is dealt with, so that the SDK must not see it */
  takes(message: unknown): boolean {
    if (!isObject(message) || message['jsonrpc'] !== '2.0') return false;
    if (message['method'] === 'tools/call') return this.#begins(message);
    return message['method'] === 'notifications/cancelled' && this.#cancels(message['params']);
  }

  /** The client has gone: nobody waits for these calls any more. */
  end(): void {
    for (const leaving of this.#underWay.values()) leaving.abort();
  }

  #begins(message: Record<string, unknown>): boolean {
    const { id, params } = message;
    if (!isId(id) || !isUsual(params) || Object.keys(message).length !== 4) return false;
    // Two calls under one id could not be told apart here when one is cancelled, or when the client goes.
    if (this.#underWay.has(id)) return false;
    const leaving = new AbortController();
    const result = this.#call(params.name, params.arguments ?? {}, leaving.signal);
    if (result === undefined) return false;
    this.#underWay.set(id, leaving);
    void this.#finish(id, leaving, result);
    return true;
  }

  async #finish(id: Id, leaving: AbortController, result: Promise<object>): Promise<void> {
    let answer: JSONRPCMessage;
    try {
      answer = { jsonrpc: '2.0', id, result: { ...(await result) } };
    } catch (error) {
      answer = { jsonrpc: '2.0', id, error: { code: ProtocolErrorCode.InternalError, message: (error as Error).message } };
    }
    if (this.#underWay.get(id) === leaving) this.#underWay.delete(id);
    // The protocol wants no answer to a cancelled call.
    if (!leaving.signal.aborted) this.#answer(answer);
  }

  #cancels(params: unknown): boolean {
    const id = isObject(params) ? params['requestId'] : undefined;
    const leaving = isId(id) ? this.#underWay.get(id) : undefined;
    if (!isId(id) || leaving === undefined) return false;
    // The client may use the id again at once.
    this.#underWay.delete(id);
    leaving.abort();
    return true;
  }
}

const isId = (value: unknown): value is Id => typeof value === 'string' || Number.isSafeInteger(value);

interface Usual {
  name: string;
  arguments?: Record<string, unknown>;
}

/** A name and arguments. The metadata of a call has no effect here. */
function isUsual(params: unknown): params is Usual {
  if (!isObject(params) || typeof params['name'] !== 'string') return false;
  for (const key in params) if (key !== 'name' && key !== 'arguments' && key !== '_meta') return false;
  return isObjectOrNone(params['arguments']) && isObjectOrNone(params['_meta']);
}

const isObjectOrNone = (value: unknown): boolean => value === undefined || isObject(value);
