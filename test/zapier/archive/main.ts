/**
 * `npm run try:zapier`: builds the Zapier archive with the official tool, unpacks it, runs it in a process of its own as Zapier does, and
 * drives every part of it against the sandbox over HTTP.
 * Prints a table of what ran; exits 0 only if all held.
 */
import { zapierZip } from '../../../tools/build/products.ts';
import { carryOutCommand } from '../../../tools/commandLine/command.ts';
import { Refused } from '../../../tools/commandLine/options.ts';
import { parts } from './index.ts';
import { openPart, type Part } from './stage.ts';

interface Tally {
  name: string;
  held: number;
  failed: number;
  seconds: number;
}

const names = parts.map(({ name }) => name).join(', ');

const command = {
  name: 'npm run try:zapier',
  does: "builds the Zapier archive with Zapier's own tool, runs it as Zapier does, and tests every part against a sandbox. The exit code is 0 only if everything worked.",
  options: {},
  words: { value: '<part>', says: `Only the parts whose names contain one of these: ${names}.` },
  examples: [
    ['npm run try:zapier', 'Every part, in a table.'],
    ['npm run try:zapier -- deliveries errors', 'Two parts.'],
  ],
} as const;

await carryOutCommand(command, async ({ words }) => {
  const wanted = words.map((word) => word.toLowerCase());
  const chosen = parts.filter(({ name }) => wanted.length === 0 || wanted.some((word) => name.toLowerCase().includes(word)));
  if (chosen.length === 0) throw new Refused(`There is no such part. The parts are: ${names}.`);
  console.log("Building the archive with Zapier's own tool, unless it is up to date ...");
  const zip = await zapierZip();
  const tallies: Tally[] = [];
  for (const part of chosen) tallies.push(await tryPart(part, zip));
  printTable(tallies);
  return tallies.some(({ failed }) => failed > 0) ? 1 : 0;
});

async function tryPart(part: Part, zip: string): Promise<Tally> {
  const { name, checks } = part;
  const started = performance.now();
  console.log(`\n${name}`);
  const { play, close } = await openPart(part, zip);
  let held = 0;
  try {
    for (const check of checks) if (await holds(check.title, () => play(check))) held += 1;
  } finally {
    await close();
  }
  return { name, held, failed: checks.length - held, seconds: (performance.now() - started) / 1000 };
}

async function holds(title: string, run: () => Promise<void>): Promise<boolean> {
  try {
    await run();
    console.log(`  ok      ${title}`);
    return true;
  } catch (error) {
    console.log(`  FAILED  ${title}\n${String(error instanceof Error ? error.stack : error).replace(/^/gm, '          ')}`);
    return false;
  }
}

function printTable(tallies: readonly Tally[]): void {
  const total = { name: 'All', held: sum(tallies, 'held'), failed: sum(tallies, 'failed'), seconds: sum(tallies, 'seconds') };
  const row = (...cells: string[]) =>
    console.log(
      `${cells[0]?.padEnd(16)}${cells
        .slice(1)
        .map((cell) => cell.padStart(9))
        .join('')}`,
    );
  console.log('');
  row('Part', 'held', 'failed', 'seconds');
  for (const { name, held, failed, seconds } of [...tallies, total]) row(name, String(held), String(failed), seconds.toFixed(1));
  console.log(total.failed === 0 ? '\ntry:zapier: ok' : `\ntry:zapier: ${total.failed} of ${total.held + total.failed} did not hold`);
}

function sum(tallies: readonly Tally[], what: 'held' | 'failed' | 'seconds'): number {
  return tallies.reduce((before, tally) => before + tally[what], 0);
}
