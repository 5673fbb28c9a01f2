/**
 * `npm run try:mcp` builds the MCP server, connects it to a sandbox through the consent page, and runs the contract of every platform and
 * the tests of the built program against it. They are tests that `npm test` runs. Exits with 0 only if all of them passed.
 */
import { join } from 'node:path';
import { runProgram } from '../../tools/commandLine/command.ts';
import { root } from '../../tools/root.cjs';
import { tried } from '../contract/inJest.ts';

const command = {
  name: 'npm run try:mcp',
  does: 'builds the MCP server, connects it to a sandbox through the consent page, and calls every tool. The exit code is 0 only if everything worked.',
  options: {},
  examples: [['npm run try:mcp', 'Every tool.']],
} as const;

await runProgram(command, async () =>
  tried(
    'try:mcp',
    ['test/mcp/program.slow.test.ts', 'test/contract/mcpProgram.test.ts'].map((file) => join(root, file)),
  ),
);
