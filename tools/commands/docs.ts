/**
 * `npm run docs`: writes the generated documents. With `--check` it writes nothing and fails when one is stale, missing or left over;
 * with `--folder` it does so somewhere else than in docs/.
 */
import { existsSync } from 'node:fs';
import { glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { documents } from '../docs/documents.ts';
import { orRefuse } from '../process/orRefuse.ts';
import { root } from '../root.cjs';

const { values } = orRefuse(() =>
  parseArgs({ options: { check: { type: 'boolean', default: false }, folder: { type: 'string', default: join(root, 'docs') } } }),
);
const { check, folder } = values;

/** Everything below it is generated: what is there and belongs to no document is left over from one that is gone. */
const generatedFolder = 'reference';

const wanted = await documents();
const problems: string[] = [];
for (const [path, text] of wanted) {
  const file = join(folder, path);
  const before = existsSync(file) ? await readFile(file, 'utf8') : undefined;
  if (before === text) continue;
  problems.push(`${path} is ${before === undefined ? 'missing' : 'stale'}`);
  if (check) continue;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
for await (const path of glob(`${generatedFolder}/**/*.md`, { cwd: folder })) {
  if (wanted.has(path)) continue;
  problems.push(`${path} is left over`);
  if (!check) await rm(join(folder, path));
}

if (check && problems.length > 0) {
  console.error(`${problems.join('\n')}\nRun \`npm run docs\` and commit what it writes.`);
  process.exitCode = 1;
} else {
  console.log(
    check
      ? `All ${wanted.size} generated documents are up to date.`
      : problems.length === 0
        ? 'Nothing has changed.'
        : problems.map((problem) => `${problem}: done`).join('\n'),
  );
}
