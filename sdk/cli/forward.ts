import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';

/** Headers that belong to the connection, or that the new request has of its own. */
const notForwarded = /^(?:host|connection|keep-alive|content-length|transfer-encoding|te|trailer|upgrade|expect|proxy-.*)$/i;

/**
 * Sends a delivery on as it came: its bytes, and its headers with their spelling, order and repetitions. `fetch` would change them.
 *
 * @throws an error that makes the service send the delivery again
 */
export async function forward(
  address: string,
  event: string,
  { request, body }: { request: IncomingMessage; body: Uint8Array },
): Promise<void> {
  const { rawHeaders } = request;
  const headers = rawHeaders.filter((_, at) => !notForwarded.test(rawHeaders[at - (at % 2)] ?? ''));
  const status = await post(address, headers, body).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`${why}, so it may not have handled ${event}. The service may send it again.`);
  });
  if (status < 200 || status > 299) throw new Error(`${new URL(address).host} answered ${event} with ${status}.`);
}

/**
 * Sends a delivery to a program.
 *
 * @param headers names and values in turn
 * @returns the status of the answer
 * @throws an error that begins a sentence if no answer comes
 */
export function post(address: string, headers: readonly string[], body: Uint8Array | string): Promise<number> {
  const { host, protocol } = new URL(address);
  const own = ['Host', host, 'Content-Length', String(Buffer.byteLength(body))];
  const send = protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise<number>((resolve, reject) => {
    send(address, { method: 'POST', headers: [...headers, ...own], agent: false, signal: AbortSignal.timeout(8_000) }, (answer) => {
      // Only its status counts.
      answer.on('error', () => undefined).resume();
      resolve(answer.statusCode ?? 0);
    })
      .on('error', ({ name, code }: NodeJS.ErrnoException) =>
        reject(new Error(`${host} ${name === 'AbortError' ? 'did not answer within 8 seconds' : `cannot be reached (${code ?? name})`}`)),
      )
      .end(body);
  });
}
