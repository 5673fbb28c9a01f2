import type { IncomingMessage } from 'node:http';
import { HTTPException } from 'hono/http-exception';

/** Longer than any form or registration. Bytes. */
const formBytes = 32_000;

/**
 * Reads a body, whether its length was announced or not.
 *
 * @param most bytes
 * @throws HTTPException 413 if it is longer: then the rest is not read; 400 if it did not come to its end
 */
export async function textOf(incoming: IncomingMessage, most = formBytes): Promise<string> {
  // The rest of it is not read, so nothing else can come over this connection.
  const tooLong = (): HTTPException =>
    new HTTPException(413, { res: new Response('Payload Too Large', { status: 413, headers: { connection: 'close' } }) });
  if (Number(incoming.headers['content-length'] ?? 0) > most) throw tooLong();
  const parts: Buffer[] = [];
  let size = 0;
  try {
    // The answer goes through the same connection.
    for await (const part of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if ((size += part.length) > most) throw tooLong();
      parts.push(part);
    }
  } catch (cause) {
    throw cause instanceof HTTPException ? cause : new HTTPException(400, { message: 'The body was cut off', cause });
  }
  return new TextDecoder().decode(Buffer.concat(parts));
}
