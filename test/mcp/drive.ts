/**
 * `npm run try:mcp`: builds the MCP server, connects it to a sandbox through the consent page, and holds it to the contract of every
 * platform and to what belongs to MCP alone. They are tests that `npm test` runs, printed in plain words. Exits 0 only if all held.
 */
import { join } from 'node:path';
import { carryOutCommand } from '../../tools/commandLine/command.ts';
import { root } from '../../tools/root.cjs';
import { tried } from '../contract/inJest.ts';

const command = {
  name: 'npm run try:mcp',
  does: 'builds the MCP server, connects it to a sandbox through the consent page, and calls every tool. The exit code is 0 only if everything worked.',
  options: {},
  examples: [['npm run try:mcp', 'Every tool, in a table.']],
} as const;

await carryOutCommand(command, () =>
  tried(
    'try:mcp',
    ['test/mcp/tryMcp.test.ts', 'test/contract/mcpProgram.test.ts'].map((file) => join(root, file)),
  ),
);
