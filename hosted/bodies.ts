import { HTTPException } from 'hono/http-exception';

/** Longer than any form or registration. Bytes. */
const formBytes = 32_000;

/**
 * Reads a body, whether its length was announced or not.
 *
 * @param most bytes
 * @throws HTTPException 413 if it is longer: then the rest is not read; 400 if it did not come to its end
 */
export async function textOf(request: Request, most = formBytes): Promise<string> {
  const tooLong = (): HTTPException => new HTTPException(413, { message: 'Payload Too Large' });
  if (Number(request.headers.get('content-length') ?? 0) > most) throw tooLong();
  const parts: Uint8Array[] = [];
  const reader = (request.body as ReadableStream<Uint8Array> | null)?.getReader();
  for (let size = 0; reader !== undefined; ) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      throw new HTTPException(400, { message: 'The body was cut off', cause });
    });
    if (done) break;
    if ((size += value.length) > most) throw tooLong();
    parts.push(value);
  }
  return new TextDecoder().decode(Buffer.concat(parts));
}

/** The value of JSON; `undefined` for any other text. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
