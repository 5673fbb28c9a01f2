import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { unzipSync, zipSync, type Zippable } from 'fflate';

/** The earliest date that the format allows, so that the same files always make the same archive. */
const mtime = new Date(1980, 0, 1);
const unix = 3;

/** An archive of a folder's files, in the given order. @param names with forward slashes */
export async function zipOf(folder: string, names: readonly string[], isProgram: (name: string) => boolean = () => false): Promise<Buffer> {
  const files: Zippable = {};
  for (const name of names)
    files[name] = [await readFile(join(folder, name)), { mtime, os: unix, attrs: (isProgram(name) ? 0o100755 : 0o100644) * 0x10000 }];
  return Buffer.from(zipSync(files, { level: 9 }));
}

/** Unpacks an archive into a folder, which is created if needed. @returns the names of the written files, relative to the folder */
export async function unzip(archive: string, folder: string): Promise<string[]> {
  const files = Object.entries(unzipSync(await readFile(archive))).filter(([name]) => !name.endsWith('/'));
  for (const [name, content] of files) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return files.map(([name]) => name);
}
