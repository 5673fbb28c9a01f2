/** `npm run docs`: writes what follows from the declarations: documents, the tables of the READMEs, the types of the developer package. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { flag, runProgram } from '../commandLine/command.ts';
import { root } from '../root.cjs';

const command = {
  name: 'npm run docs',
  does: 'writes the documents, tables and types that follow from the declarations, and the changes of time zones.',
  options: { check: flag('Writes nothing. Fails if a file is out of date or missing.') },
  examples: [
    ['npm run docs', 'Brings everything up to date.'],
    ['npm run docs -- --check', 'Lists what is out of date.'],
  ],
} as const;

await runProgram(command, async ({ values: { check = false } }) => {
  // Only loaded here, because it needs every part of the project, while --help and wrong options need none.
  const { parts } = await import('../docs/documents.ts');
  const problems: string[] = [];
  let count = 0;
  for (const part of parts)
    for (const [path, text] of await part()) {
      count += 1;
      const file = join(root, path);
      const before = existsSync(file) ? await readFile(file, 'utf8') : undefined;
      if (before === text) continue;
      problems.push(`${path} is ${before === undefined ? 'missing' : 'stale'}`);
      if (check) continue;
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }
  if (check && problems.length > 0) throw new Error(`${problems.join('\n')}\nRun \`npm run sync\` and commit the result.`);
  console.log(problems.length === 0 ? `All ${count} generated files are up to date.` : problems.map((each) => `${each}: done`).join('\n'));
});
