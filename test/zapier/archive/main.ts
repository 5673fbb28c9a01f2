/**
 * `npm run try:zapier` builds the Zapier archive with the official tool, unpacks it, and runs it in a process of its own like Zapier. It
 * runs the contract of every platform and the tests for Zapier alone against it, with a sandbox over HTTP.
 * `npm test` runs the same tests, those for Zapier alone on the app's sources. Exits with 0 only if all of them passed.
 */
import { join } from 'node:path';
import { Refused, runProgram } from '../../../tools/commandLine/command.ts';
import { root } from '../../../tools/root.cjs';
import { tried } from '../../contract/inJest.ts';

/** By the names with which a person selects them; the contract first. */
const parts = new Map([
  ['contract', 'test/contract/zapier.test.ts'],
  ['connection', 'test/zapier/connection.test.ts'],
  ['triggers', 'test/zapier/triggers.test.ts'],
  ['actions', 'test/zapier/actions.test.ts'],
  ['waits', 'test/zapier/archive/waits.test.ts'],
]);
const names = [...parts.keys()].join(', ');

const command = {
  name: 'npm run try:zapier',
  does: "builds the Zapier archive with Zapier's own tool, runs it as Zapier does, and tests every part against a sandbox. The exit code is 0 only if everything worked.",
  options: {},
  words: { value: '<part>', says: `Only the parts whose names contain one of these: ${names}.` },
  examples: [
    ['npm run try:zapier', 'Every part.'],
    ['npm run try:zapier -- triggers actions', 'Two parts.'],
  ],
} as const;

await runProgram(command, async ({ words }) => {
  const wanted = words.map((word) => word.toLowerCase());
  const chosen = [...parts].filter(([name]) => wanted.length === 0 || wanted.some((word) => name.includes(word)));
  if (chosen.length === 0) throw new Refused(`There is no such part. The parts are: ${names}.`);
  process.env['ZAPIER_APP'] = 'archive';
  console.log("Building the archive with Zapier's own tool, unless it is up to date ...");
  return tried(
    'try:zapier',
    chosen.map(([, file]) => join(root, file)),
  );
});
