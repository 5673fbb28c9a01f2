/** `npm run docs`: writes the generated documents. */
import { existsSync } from 'node:fs';
import { glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { carryOutCommand } from '../commandLine/command.ts';
import { flag, text } from '../commandLine/options.ts';
import { documents } from '../docs/documents.ts';
import { root } from '../root.cjs';

const command = {
  name: 'npm run docs',
  does: 'writes the documents that are made from the declarations.',
  options: {
    check: flag('Writes nothing, and fails when a document is stale, missing or left over.'),
    folder: text('<folder>', 'Where they go, in place of docs/.'),
  },
  examples: [
    ['npm run docs', 'Brings docs/ up to date.'],
    ['npm run docs -- --check', 'Says what is not up to date.'],
  ],
} as const;

/** Everything below it is generated: what is there and belongs to no document is left over from one that is gone. */
const generatedFolder = 'reference';

await carryOutCommand(command, async ({ values: { check, folder = join(root, 'docs') } }) => {
  const wanted = await documents();
  const problems: string[] = [];
  for (const [path, document] of wanted) {
    const file = join(folder, path);
    const before = existsSync(file) ? await readFile(file, 'utf8') : undefined;
    if (before === document) continue;
    problems.push(`${path} is ${before === undefined ? 'missing' : 'stale'}`);
    if (check) continue;
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, document);
  }
  for await (const path of glob(`${generatedFolder}/**/*.md`, { cwd: folder })) {
    if (wanted.has(path)) continue;
    problems.push(`${path} is left over`);
    if (!check) await rm(join(folder, path));
  }

  if (check && problems.length > 0) throw new Error(`${problems.join('\n')}\nRun \`npm run docs\` and commit what it writes.`);
  if (check) console.log(`All ${wanted.size} generated documents are up to date.`);
  else console.log(problems.length === 0 ? 'Nothing has changed.' : problems.map((problem) => `${problem}: done`).join('\n'));
});
