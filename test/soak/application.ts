import { type Operation, operations } from '../../shared/operations/index.ts';
import type { Fetch } from '../../shared/client/httpClient.ts';
import { clientOf, placeOf } from '../../sdk/client/methods.ts';
import { isServiceError } from '../../sdk/index.ts';
import type { Sandbox } from '../../sandbox/service.ts';
import type { VirtualTime } from '../../bench/virtualTime.ts';

/** What the user sees at the end of an operation. */
export type Told =
  | { outcome: 'done'; value: unknown }
  | {
      outcome: 'failed';
      /** Everything that is shown of the error. */
      words: string;
      /** Whether the words leave open what happened. */
      isUnsure: boolean;
      /** Why these words do not help a person, if they do not. */
      defect: string | undefined;
    };

/** Sends one request. A connection that breaks is an error like that of Node's `fetch`. */
export type Wire = (request: Request) => Promise<Response>;

/** Where an application runs. */
export interface Surroundings {
  wire: Wire;
  time: Pick<VirtualTime, 'date' | 'set' | 'sleep'>;
  sandbox: Sandbox;
  /** Takes each wait of an operation. Milliseconds. */
  waits?: (milliseconds: number) => void;
}

/** The token of an application outlasts all waits. Seconds. */
const expiresInSeconds = 1_000_000_000;

/**
 * An application on the package for developers: it runs an operation and shows what it gets, of a list all pages. It retries nothing by
 * itself, and what it remembers lasts from one try to the next.
 */
export function applicationOn({ wire, time, sandbox: { baseUrl, issueToken }, waits = () => undefined }: Surroundings) {
  const now = (): number => time.date();
  const timeout = (milliseconds: number): AbortSignal => {
    const over = new AbortController();
    time.set(() => over.abort(new DOMException('The time is over.', 'TimeoutError')), milliseconds);
    return over.signal;
  };
  const made = clientOf(operations, { now, sleep: (milliseconds, over) => (waits(milliseconds), time.sleep(milliseconds, over)), timeout });
  const client = made({ auth: issueToken({ expiresInSeconds }).access_token, baseUrl, fetch: fetchOver(wire) });

  return async (operation: Operation, input: Record<string, unknown>): Promise<Told> => {
    const { group, method } = placeOf(operation);
    const call = client[group]?.[method];
    if (call === undefined) throw new Error(`There is no ${group}.${method}.`);
    try {
      const answer = call(input);
      return { outcome: 'done', value: await ('all' in answer ? answer.all() : answer) };
    } catch (error) {
      return isServiceError(error) ? failure(error.message, error.advice) : failure(String(error), 'Nobody said anything.');
    }
  };
}

/** A failure in the words that a person reads: what happened, and what to do. */
function failure(message: string, advice: string): Told {
  const words = `${message} ${advice}`.trim();
  return { outcome: 'failed', words, isUnsure: /may or may not/.test(words), defect: defectOf(message, advice) };
}

function defectOf(message: string, advice: string): string | undefined {
  if (!/^["A-Z]|^[\d.]+:\d+ /.test(message) || !/[.!?]"?$|: npx [\w -]+$/.test(message.trim())) return 'what happened is not a sentence';
  if (advice !== '' && !/^["A-Z].*[.!]$/s.test(advice.trim())) return 'what to do is not a sentence';
  if (advice === '' && message.split('. ').length < 2) return 'nothing says what to do';
  if (/\bundefined\b|\[object|\bNaN\b|TypeError|<html|<!DOCTYPE/.test(`${message} ${advice}`)) return 'something raw shows through';
  return undefined;
}

/** `fetch` over a wire. What happens on the wire goes on after the caller has given up. */
const fetchOver =
  (wire: Wire): Fetch =>
  (address, init) => {
    const { signal } = init;
    const givenUp = new Promise<never>((_, reject) =>
      signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
    );
    return Promise.race([wire(new Request(address, { ...init, signal: null })), givenUp]);
  };
