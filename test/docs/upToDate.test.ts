import { appendFile, cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../tools/process/command.ts';
import { root } from '../../tools/root.cjs';

const docs = join(root, 'docs');

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docs-'));
  await cp(docs, folder, { recursive: true });
});
afterEach(() => rm(folder, { recursive: true }));

/** One document edited by hand, one missing, one left over. */
async function damage(): Promise<string[]> {
  await appendFile(join(folder, 'reference', 'limits.md'), 'edited');
  await rm(join(folder, 'openapi.json'));
  await writeFile(join(folder, 'reference', 'triggers', 'booking-forgotten.md'), '');
  return ['openapi.json is missing', 'reference/limits.md is stale', 'reference/triggers/booking-forgotten.md is left over'];
}

const linesOf = (output: string): string[] => output.trim().split('\n');

/** `npm run docs`, but for the folder, because other tests read the documents of the project. */
const npmRunDocs = (...options: string[]) =>
  runCommand(process.execPath, ['tools/run.mjs', 'tools/commands/docs.ts', ...options, '--folder', folder], { cwd: root });

/** All files, with their contents. */
async function contents(of: string): Promise<Map<string, string>> {
  const entries = (await readdir(of, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const files = entries.map(({ parentPath, name }) => join(parentPath, name)).sort();
  return new Map(
    await Promise.all(files.map(async (file): Promise<[string, string]> => [file.slice(of.length), await readFile(file, 'base64')])),
  );
}

it('npm run docs repairs what is damaged, nothing else changes, and the documents of the project are what it writes', async () => {
  const problems = await damage();
  const { code, output } = await npmRunDocs();
  expect({ code, lines: linesOf(output).sort() }).toEqual({ code: 0, lines: problems.map((problem) => `${problem}: done`) });
  const [written, kept] = await Promise.all([contents(folder), contents(docs)]);
  const files = [...new Set([...written.keys(), ...kept.keys()])];
  expect(files.filter((file) => written.get(file) !== kept.get(file))).toEqual([]);
});
