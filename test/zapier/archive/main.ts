/**
 * `npm run try:zapier` builds the Zapier archive with the official tool, unpacks it, and runs it in a process of its own like Zapier. It
 * runs the contract of every platform and the tests for Zapier alone against it, with a sandbox over HTTP.
 * `npm test` runs the same tests, those for Zapier alone on the app's sources. Exits with 0 only if all of them passed.
 */
import { join } from 'node:path';
import { runProgram } from '../../../tools/commandLine/command.ts';
import { root } from '../../../tools/root.cjs';
import { tried } from '../../contract/inJest.ts';

const files = ['contract/zapier', 'zapier/connection', 'zapier/triggers', 'zapier/actions', 'zapier/archive/waits.slow'];

const command = {
  name: 'npm run try:zapier',
  does: "builds the Zapier archive with Zapier's own tool, runs it as Zapier does, and tests every part against a sandbox. The exit code is 0 only if everything worked.",
  options: {},
  examples: [['npm run try:zapier', 'Every part.']],
} as const;

await runProgram(command, async () => {
  process.env['ZAPIER_APP'] = 'archive';
  console.log("Building the archive with Zapier's own tool, unless it is up to date ...");
  return tried(
    'try:zapier',
    files.map((file) => join(root, 'test', `${file}.test.ts`)),
  );
});
