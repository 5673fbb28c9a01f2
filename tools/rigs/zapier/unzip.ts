import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';
import { crc32, inflateRawSync } from 'node:zlib';

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const STORED = 0;
const DEFLATED = 8;

/**
 * Unpacks a zip archive, as a platform does with a pushed app, and checks every file against its checksum.
 *
 * @param archive path of the zip
 * @param folder where its files go; created if missing
 * @returns the names of the files written, relative to the folder
 * @throws an error if the archive is damaged or names a file outside the folder
 */
export async function unzip(archive: string, folder: string): Promise<string[]> {
  const zip = await readFile(archive);
  const written: string[] = [];
  for (const entry of directory(zip, archive)) {
    const target = resolve(folder, entry.name);
    if (!target.startsWith(resolve(folder) + sep)) throw new Error(`${archive} names a file outside its folder: ${entry.name}`);
    if (entry.name.endsWith('/')) continue;
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, contentOf(zip, entry, archive));
    written.push(entry.name);
  }
  return written;
}

interface Entry {
  name: string;
  method: number;
  checksum: number;
  packedBytes: number;
  headerAt: number;
}

function* directory(zip: Buffer, archive: string): Generator<Entry> {
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end < 0 || zip.readUInt32LE(end) !== END_OF_DIRECTORY) throw new Error(`${archive} is not a zip archive. Run npm run build again.`);
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (zip.readUInt32LE(at) !== DIRECTORY_ENTRY)
      throw new Error(`${archive} is damaged: its directory ends early. Run npm run build again.`);
    const nameBytes = zip.readUInt16LE(at + 28);
    yield {
      name: zip.toString('utf8', at + 46, at + 46 + nameBytes),
      method: zip.readUInt16LE(at + 10),
      checksum: zip.readUInt32LE(at + 16),
      packedBytes: zip.readUInt32LE(at + 20),
      headerAt: zip.readUInt32LE(at + 42),
    };
    at += 46 + nameBytes + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
}

function contentOf(zip: Buffer, entry: Entry, archive: string): Buffer {
  // The local header repeats the name, with an extra part of its own length, so only this header shows where the data begins.
  const start = entry.headerAt + 30 + zip.readUInt16LE(entry.headerAt + 26) + zip.readUInt16LE(entry.headerAt + 28);
  const packed = zip.subarray(start, start + entry.packedBytes);
  if (entry.method !== STORED && entry.method !== DEFLATED)
    throw new Error(`${archive} packs ${entry.name} in a way that is not understood here (method ${entry.method}).`);
  const content = entry.method === DEFLATED ? inflateRawSync(packed) : packed;
  if (crc32(content) !== entry.checksum)
    throw new Error(`${archive} is damaged: ${entry.name} does not match its checksum. Run npm run build again.`);
  return content;
}
