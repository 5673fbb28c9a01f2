/** `npm run settle`: deletes the forms that, according to the probe, the service does not use. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Misuse, runProgram } from '../commandLine/command.ts';
import { mustRun } from '../process/command.ts';
import { gapOf, isOfTable, type Settled } from '../probe/settled.ts';
import { settle } from '../probe/settle.ts';
import { root } from '../root.cjs';

const file = 'settled.json';

const command = {
  name: 'npm run settle',
  does: `deletes the forms that the service does not use, as far as the probe has seen it (${file}): from the table of shared/reading/rows.ts, the sandbox and the tests. Then it brings the documents up to date.`,
  options: {},
  words: { value: '<number>', says: 'The number of a gap, such as G1. Without one: all that is settled.' },
  examples: [
    ['npm run settle G1', 'After `npm run probe`. Then look at `git diff`.'],
    ['npm run settle', 'The same for every gap.'],
  ],
} as const;

await runProgram(command, async ({ words }) => {
  const text = await readFile(join(root, file), 'utf8').catch(() => {
    throw new Error(`There is no ${file}. Run \`npm run probe\` first, which writes there what your service has shown.`);
  });
  const all = JSON.parse(text) as Settled;
  if (!isOfTable(all)) throw new Error(`${file} was written for another table of forms. Run \`npm run probe\` again.`);
  const gaps = new Set(Object.keys(all).map(gapOf));
  const unknown = words.find((each) => !gaps.has(each));
  if (unknown !== undefined)
    throw new Misuse(`The probe has settled nothing of ${unknown}. What it has settled: ${[...gaps].join(', ') || 'nothing'}.`);
  const chosen = Object.fromEntries(Object.entries(all).filter(([name]) => words.length === 0 || words.includes(gapOf(name))));
  const { rows, services, left } = await settle(root, chosen);
  if (left.length > 0) console.log(`To be settled by hand, because it has no single place in the answers: ${left.join(', ')}.`);
  await mustRun(process.execPath, [join(root, 'tools', 'commands', 'docs.ts')], { cwd: root });
  const also = services.length === 0 ? '' : `, and the answers of ${services.join(', ')}`;
  console.log(`Deleted: ${rows} forms${also}.\n\nLook at \`git diff\`, then run \`npm run check -- types\` and \`npm run test:fast\`.`);
});
