/** `npm run start:mcp`: starts the MCP server for many users with a sandbox. See `--help`. */
import { join } from 'node:path';
import { brand } from '../../shared/brand.ts';
import { startSandbox } from '../../sandbox/service.ts';
import { runProgram, text, whole } from '../commandLine/command.ts';
import { whenParentIsGone } from '../process/parent.mjs';
import { startHosted } from '../rigs/mcp/hosted.ts';
import { OpenedParts } from '../process/opened.ts';
import { Progress } from '../start/progress.ts';
import { root } from '../root.cjs';

const command = {
  name: 'npm run start:mcp',
  does: `starts the MCP server for many users on this machine, in front of a sandbox of ${brand.name}, and keeps running.`,
  options: { port: { ...text('<number>', 'Where it listens. 0 takes any free port.'), default: '4031' } },
  examples: [['npm run start:mcp', 'Prints the address to add to an assistant.']],
} as const;

const opened = new OpenedParts();
const stop = async (code: number): Promise<void> => {
  for (const complaint of await opened.closeAll()) console.error(complaint);
  process.exit(code);
};

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(signal === 'SIGINT' ? 130 : 143));
whenParentIsGone(() => void stop(143));

await runProgram(command, async ({ values }) => {
  const progress = new Progress();
  const folder = join(root, '.local', 'mcp-server');
  try {
    const sandbox = await progress.step('starting the scheduling service', () =>
      opened.start('the sandbox', () => startSandbox({ file: join(folder, 'sandbox.sqlite') })),
    );
    const port = whole(values.port, 'port', 0, 65_535) || undefined;
    const { origin } = await progress.step('starting the MCP server', () => startHosted({ sandbox, folder, port }, opened));
    console.log(
      `\nAdd this address to an assistant: ${origin}/mcp\nConnected assistants:             ${origin}/connections\nThe service's own page:           ${sandbox.origin}/host\nCtrl-C stops it and keeps its data.`,
    );
  } catch (error) {
    console.error(`\n${error instanceof Error ? error.message : String(error)}`);
    await stop(1);
  }
});
