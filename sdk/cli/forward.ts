import type { IncomingMessage } from 'node:http';
import { throughProxy } from '../client/proxy.ts';

/** Headers that belong to the original connection, or that the new request sets itself. */
const notForwarded = /^(?:host|connection|keep-alive|content-length|transfer-encoding|te|trailer|upgrade|expect|proxy-.*)$/i;

/**
 * Forwards a delivery with its original bytes and headers.
 *
 * @throws an error that makes the service send the delivery again
 */
export async function forward(address: string, event: string, { headersDistinct }: IncomingMessage, body: Uint8Array): Promise<void> {
  const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) => values.map((value): [string, string] => [name, value]));
  const kept = headers.filter(([name]) => !notForwarded.test(name));
  const { status } = await post(address, kept, body).catch((error: unknown) => {
    throw new Error(`${(error as Error).message} It may not have handled ${event}. The service may send it again.`);
  });
  if (status < 200 || status > 299) throw new Error(`${new URL(address).host} answered ${event} with ${status}.`);
}

/**
 * Sends a delivery to a program.
 *
 * @throws an error with a message for people if there is no response within 8 seconds
 */
export async function post(
  address: string,
  headers: [string, string][] | Record<string, string>,
  body: Uint8Array | string,
  over?: AbortSignal,
): Promise<{ status: number; said: string }> {
  const signal = AbortSignal.any([AbortSignal.timeout(8_000), ...(over === undefined ? [] : [over])]);
  try {
    const answer = await fetch(address, {
      method: 'POST',
      headers,
      body: body as Uint8Array<ArrayBuffer> | string,
      redirect: 'manual',
      signal,
      ...throughProxy(address),
    });
    // The status counts, even if the connection breaks while the body is read.
    return { status: answer.status, said: await answer.text().catch(() => '') };
  } catch (error) {
    over?.throwIfAborted();
    const { name, cause } = error as Error;
    const why =
      name === 'TimeoutError'
        ? 'did not answer within 8 seconds'
        : `cannot be reached (${(cause as NodeJS.ErrnoException | undefined)?.code ?? name})`;
    throw new Error(`${new URL(address).host} ${why}.`);
  }
}
