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
  const packings = known['content-encoding'];
  const bytes = packings === undefined ? body : await unpacked(body, packings);
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

const unzipped = promisify(unzip);
/** Other names are ignored: some servers write `identity` there, or a character set. */
const unpackings = new Map([
  ['br', promisify(brotliDecompress)],
  ['gzip', unzipped],
  ['x-gzip', unzipped],
  ['deflate', unzipped],
]);

/** @param packings in the order in which they were applied (RFC 9110, section 8.4) */
async function unpacked(body: Buffer, packings: string): Promise<Buffer> {
  let bytes = body;
  try {
    for (const name of packings.toLowerCase().split(',').reverse()) {
      const unpack = unpackings.get(name.trim());
      // As the answer to a deletion may be: nothing was packed.
      if (unpack !== undefined && bytes.length > 0) bytes = await unpack(bytes, { maxOutputLength: mostBytes });
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new NetworkFault(code === 'ERR_BUFFER_TOO_LARGE' ? 'EMSGSIZE' : (code ?? 'Z_DATA_ERROR'), true);
  }
  return bytes;
}
