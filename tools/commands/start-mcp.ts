/** `npm run start:mcp`: the MCP server for many users, in front of a sandbox. See `--help`. */
import { join } from 'node:path';
import { brand } from '../../shared/brand.ts';
import { startSandbox } from '../../sandbox/service.ts';
import { flag, runProgram, text, whole } from '../commandLine/command.ts';
import { whenParentIsGone } from '../process/parent.mjs';
import { installHosted, startHosted } from '../rigs/mcp/hosted.ts';
import { twoUsers } from '../rigs/mcp/twoUsers.ts';
import { openPostgres } from '../rigs/queue/postgres.ts';
import { Opened } from '../process/opened.ts';
import { Progress } from '../start/progress.ts';
import { root } from '../root.cjs';

const command = {
  name: 'npm run start:mcp',
  does: `starts the MCP server for many users on this machine, in front of a sandbox of ${brand.name}, and keeps running.`,
  options: {
    once: flag('Two users connect, each books once and sees only their own, one is disconnected. Then it exits.'),
    postgres: flag('Keeps everything in PostgreSQL instead of a file.'),
    port: { ...text('<number>', 'Where it listens. 0 takes any free port.'), default: '4031' },
  },
  examples: [
    ['npm run start:mcp', 'Prints the address to add to an assistant.'],
    ['npm run start:mcp -- --once', 'Shows that it works, with new data, and exits with 0.'],
    ['npm run start:mcp -- --once --postgres', 'The same with PostgreSQL.'],
  ],
} as const;

const opened = new Opened();
const stop = async (code: number): Promise<void> => {
  for (const complaint of await opened.closeAll()) console.error(complaint);
  process.exit(code);
};

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(signal === 'SIGINT' ? 130 : 143));
whenParentIsGone(() => void stop(143));

await runProgram(command, async ({ values }) => {
  const progress = new Progress();
  const port = values.once ? undefined : whole(values.port, 'port', 0, 65_535) || undefined;
  const folder = values.once ? await opened.temporaryFolder('mcp-server-') : join(root, '.local', 'mcp-server');
  const kept = values.once ? ':memory:' : join(folder, 'sandbox.sqlite');
  try {
    const sandbox = await progress.step('starting the scheduling service', () =>
      opened.start(
        'the sandbox',
        () => startSandbox({ file: kept }),
        (started) => started.stop(),
      ),
    );
    const databaseUrl = values.postgres
      ? await progress.step('starting PostgreSQL', async () => {
          const at = values.once ? {} : { folder: join(folder, 'postgres') };
          return (await openPostgres({ ...at, name: 'mcp-server', installation: await installHosted() }, opened)).url;
        })
      : undefined;
    const hosted = await progress.step('starting the MCP server', () => startHosted({ sandbox, folder, databaseUrl, port }, opened));
    if (!values.once) {
      console.log(
        `\nAdd this address to an assistant: ${hosted.origin}/mcp\nConnected assistants:             ${hosted.origin}/connections\nThe service's own page:           ${sandbox.origin}/host\nCtrl-C stops it and keeps its data.`,
      );
      return undefined;
    }
    await twoUsers(hosted.origin, sandbox, (name, work) => progress.step(name, work));
    await progress.step('stopping everything', async () => {
      const complaints = await opened.closeAll();
      if (complaints.length > 0) throw new Error(complaints.join('\n'));
    });
    console.log('\nMCP server for many users: ok');
    return 0;
  } catch (error) {
    console.error(`\n${error instanceof Error ? error.message : String(error)}`);
    await stop(1);
    return 1;
  }
});
