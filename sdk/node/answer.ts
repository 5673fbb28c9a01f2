import { promisify } from 'node:util';
import { brotliDecompress, unzip } from 'node:zlib';
import { mostBytes, parsed } from '../../shared/api/overFetch.ts';
import { NetworkFault, type ApiResponse } from '../../shared/api/transport.ts';

/** A complete answer as it came. */
export interface Received {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

const decoder = new TextDecoder();

/** The answer that the core reads. @throws NetworkFault if it is not packed as it says, or too long once it is unpacked */
export async function answerOf({ status, headers, body }: Received): Promise<ApiResponse> {
  const known = single(headers);
  const packing = known['content-encoding'];
  const bytes = packing === undefined || packing === 'identity' ? body : await unpacked(body, packing);
  return { status, headers: known, body: parsed(decoder.decode(bytes)) };
}

/** The headers; of one that came more than once, the first. */
function single(found: Received['headers']): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name in found) {
    const [first] = [found[name]].flat();
    if (first !== undefined) headers[name] = first;
  }
  return headers;
}

const unpackings = { br: promisify(brotliDecompress), other: promisify(unzip) } as const;

async function unpacked(body: Buffer, packing: string): Promise<Buffer> {
  // As the answer to a deletion may be: nothing was packed.
  if (body.length === 0) return body;
  try {
    return await unpackings[packing === 'br' ? 'br' : 'other'](body, { maxOutputLength: mostBytes });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new NetworkFault(code === 'ERR_BUFFER_TOO_LARGE' ? 'EMSGSIZE' : (code ?? 'Z_DATA_ERROR'), true);
  }
}
