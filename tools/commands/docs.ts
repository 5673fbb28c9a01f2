/** `npm run docs`: writes the generated documents. */
import { existsSync } from 'node:fs';
import { glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { runProgram } from '../commandLine/command.ts';
import { flag, text } from '../commandLine/options.ts';
import { root } from '../root.cjs';

const command = {
  name: 'npm run docs',
  does: 'writes the generated documents.',
  options: {
    check: flag('Writes nothing. Fails if a document is out of date, missing or no longer needed.'),
    folder: text('<folder>', 'Where to write them, instead of docs/.'),
  },
  examples: [
    ['npm run docs', 'Brings docs/ up to date.'],
    ['npm run docs -- --check', 'Lists what is out of date.'],
  ],
} as const;

/** Everything in this folder is generated. A file that belongs to no document is left over from one that no longer exists. */
const generatedFolder = 'reference';

await runProgram(command, async ({ values: { check, folder = join(root, 'docs') } }) => {
  // Only loaded here, because it needs every part of the project. --help and a wrong option are answered at once.
  const { documents } = await import('../docs/documents.ts');
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

  if (check && problems.length > 0) throw new Error(`${problems.join('\n')}\nRun \`npm run docs\` and commit the result.`);
  if (check) console.log(`All ${wanted.size} generated documents are up to date.`);
  else console.log(problems.length === 0 ? 'Nothing has changed.' : problems.map((problem) => `${problem}: done`).join('\n'));
});
