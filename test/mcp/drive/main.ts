/**
 * `npm run try:mcp`: builds the MCP server, connects it to a sandbox through the consent page, and drives every tool as a client
 * does. Prints a table; exits 0 only if all held.
 */
import { startSandbox } from '../../../sandbox/service.ts';
import { carryOutCommand } from '../../../tools/commandLine/command.ts';
import { mcpProgram } from '../../../tools/build/products.ts';
import { table } from '../../../tools/start/table.ts';
import { connected } from '../../../tools/rigs/mcp/connected.ts';
import { play, steps } from './steps.ts';

const command = {
  name: 'npm run try:mcp',
  does: 'builds the MCP server, connects it to a sandbox through the consent page, and calls every tool. The exit code is 0 only if everything worked.',
  options: {},
  examples: [['npm run try:mcp', 'Every tool, in a table.']],
} as const;

await carryOutCommand(command, async () => {
  const sandbox = await startSandbox();
  try {
    const { client, close } = await connected(sandbox, await mcpProgram());
    try {
      const rows: string[][] = [];
      const known = {};
      for (const step of steps(sandbox)) {
        const started = performance.now();
        const complaint = await play(step, client, known).then(() => undefined, String);
        rows.push([step.tool, step.does, complaint === undefined ? 'ok' : 'FAILED', `${Math.round(performance.now() - started)} ms`]);
        if (complaint !== undefined) console.error(complaint);
      }
      console.log(table(['Tool', 'What it does here', 'Held', 'Time'], rows));
      const failed = rows.filter(([, , held]) => held !== 'ok').length;
      console.log(failed === 0 ? '\ntry:mcp: ok' : `\ntry:mcp: ${failed} of ${rows.length} did not hold`);
      return failed > 0 ? 1 : 0;
    } finally {
      await close();
    }
  } finally {
    await sandbox.stop();
  }
});
