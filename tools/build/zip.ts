import { crc32, deflateRawSync } from 'node:zlib';

export interface Entry {
  /** Its path in the archive, with forward slashes. */
  name: string;
  content: Buffer;
  isProgram?: boolean;
}

/** The earliest date that the format allows, so that the same files always make the same archive. */
const noDate = 0x0021;
const deflated = 8;
const madeOnUnix = 0x0314;

/** A ZIP archive of these files, in the given order. */
export function zipOf(entries: readonly Entry[]): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, content, isProgram = false } of entries) {
    const path = Buffer.from(name);
    const packed = deflateRawSync(content, { level: 9 });
    // Version needed, flags (none), method, time, date, checksum, both sizes, the length of the name, and the length of extra data (none).
    const shared = numbers([20, 0, deflated, 0, noDate], [crc32(content), packed.length, content.length], [path.length, 0]);
    const local = Buffer.concat([signature(0x04034b50), shared, path, packed]);
    const rights = (isProgram ? 0o100755 : 0o100644) * 0x10000;
    central.push(Buffer.concat([signature(0x02014b50), numbers([madeOnUnix]), shared, numbers([0, 0, 0], [rights, offset]), path]));
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(central);
  const end = numbers([0, 0, entries.length, entries.length], [directory.length, offset], [0]);
  return Buffer.concat([...locals, directory, signature(0x06054b50), end]);
}

const signature = (value: number): Buffer => words([value]);

const words = (values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeUInt32LE(value >>> 0, index * 4));
  return bytes;
};

/** Numbers of two bytes, then of four, then of two. */
function numbers(twoBytes: readonly number[], fourBytes: readonly number[] = [], more: readonly number[] = []): Buffer {
  const shorts = (values: readonly number[]): Buffer => {
    const bytes = Buffer.alloc(values.length * 2);
    values.forEach((value, index) => bytes.writeUInt16LE(value, index * 2));
    return bytes;
  };
  return Buffer.concat([shorts(twoBytes), words(fourBytes), shorts(more)]);
}
