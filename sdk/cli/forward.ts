import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { Subscribed, WebhookEvent } from '../webhooks/index.ts';
import { signedBody } from '../webhooks/open.ts';

/** Headers that belong to the connection, or that the new request has of its own. */
const notForwarded = /^(?:host|connection|keep-alive|content-length|transfer-encoding|te|trailer|upgrade|expect|proxy-.*)$/i;

/**
 * Sends a delivery on as it came: its bytes, and its headers with their spelling, order and repetitions. `fetch` would change them.
 *
 * @throws an error that makes the service send the delivery again
 */
export async function forward(address: string, event: string, { rawHeaders }: IncomingMessage, body: Uint8Array): Promise<void> {
  const headers = rawHeaders.filter((_, at) => !notForwarded.test(rawHeaders[at - (at % 2)] ?? ''));
  const { status } = await post(address, headers, body).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`${why}, so it may not have handled ${event}. The service may send it again.`);
  });
  if (status < 200 || status > 299) throw new Error(`${new URL(address).host} answered ${event} with ${status}.`);
}

/**
 * Sends a delivery to a program.
 *
 * @param headers names and values in turn
 * @throws an error that begins a sentence if no answer comes
 */
export function post(
  address: string,
  headers: readonly string[],
  body: Uint8Array | string,
  over?: AbortSignal,
): Promise<{ status: number; said: string }> {
  const { host, protocol } = new URL(address);
  const own = ['Host', host, 'Content-Length', String(Buffer.byteLength(body))];
  const send = protocol === 'https:' ? httpsRequest : httpRequest;
  const late = AbortSignal.timeout(8_000);
  const signal = over === undefined ? late : AbortSignal.any([over, late]);
  return new Promise((resolve, reject) => {
    send(address, { method: 'POST', headers: [...headers, ...own], agent: false, signal }, (answer) => {
      const { statusCode: status = 0 } = answer;
      // The status counts, even if the text breaks off.
      text(answer).then(
        (said) => resolve({ status, said }),
        () => resolve({ status, said: '' }),
      );
    })
      .on('error', ({ name, code }: NodeJS.ErrnoException) =>
        reject(new Error(`${host} ${name === 'AbortError' ? 'did not answer within 8 seconds' : `cannot be reached (${code ?? name})`}`)),
      )
      .end(body);
  });
}

/** The maximum number of deliveries that can be sent again. */
const maxKept = 100;

interface Kept {
  event: string;
  line: string;
  body: string;
}

/** The verified deliveries of one run, to be sent again. They are about people, so they are kept in memory only. */
export class Replay {
  readonly #kept = new Map<string, Kept>();

  /** @param line what was printed about the delivery */
  keep({ event, delivery_key: key }: WebhookEvent, line: string, body: Uint8Array): void {
    this.#kept.set(key, { event, line, body: new TextDecoder().decode(body) });
    const [oldest = ''] = this.#kept.keys();
    if (this.#kept.size > maxKept) this.#kept.delete(oldest);
  }

  /**
   * Sends deliveries again for each line that a person types, until the signal aborts: all of them for an empty line, otherwise those
   * whose line contains what was typed.
   */
  async run(to: string, { signing_secret: secret }: Subscribed, signal: AbortSignal, say: (text: string) => void): Promise<void> {
    for await (const typed of createInterface({ input: process.stdin, signal })) {
      const wanted = [...this.#kept.values()].filter(({ line }) => line.includes(typed.trim()));
      if (wanted.length === 0) say(this.#kept.size === 0 ? 'There is no delivery yet.' : 'No delivery contains that.');
      for (const each of wanted) {
        if (signal.aborted) return;
        say(await again(to, each, secret));
      }
    }
  }
}

/** A new delivery of the same record: a program that handles each delivery once handles this one too. */
async function again(to: string, { event, body: before }: Kept, secret: string): Promise<string> {
  try {
    const content = { ...(JSON.parse(before) as object), created_at: new Date().toISOString() };
    const { headers, body } = await signedBody(event, content, secret);
    const { status } = await post(to, Object.entries(headers).flat(), body);
    return `${new URL(to).host} answered ${event}, sent again, with ${status}.`;
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)}, so it may not have handled ${event}.`;
  }
}
