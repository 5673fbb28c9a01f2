import { copyFile, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/v4';
import { startSandbox } from '../../sandbox/service.ts';
import { builtFolder, mcpProgram } from '../../tools/build/products.ts';
import { freePort } from '../../tools/process/freePort.ts';
import { Program } from '../../tools/process/program.ts';
import { installHosted, startHosted } from '../../tools/rigs/mcp/hosted.ts';
import { askTool } from '../mcpProcesses.ts';
import { openPostgres } from '../../tools/rigs/queue/postgres.ts';
import { root } from '../../tools/root.cjs';
import { OpenedParts } from '../../tools/process/opened.ts';
import { rounded, type ReportRow } from '../report.ts';
import { Assistant } from '../../test/support/assistant.ts';

/** Calls per turn, calls at the same time, measured turns, turns to warm up, and hosts that connect, to measure what is stored for one. */
const [batch, atOnce, turns, warmUp, hosts] = [100, 4, 12, 4, 50];

/** PostgreSQL counts the statements of an idle connection only after this time. Milliseconds. */
const countedLaterMs = 12_000;

/** Starts that never overlap: three hours apart, after all bookings that the sandbox starts with. */
const freeStart = (index: number): string =>
  new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + (index + 320) * 10_800_000).toISOString();

/** The processor time that a process has used. Milliseconds; Linux counts them in hundredths of a second. */
async function processorTime(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /s, '').split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** The server as published: one file, next to the packages that its manifest names. */
async function publishedProgram(opened: OpenedParts): Promise<string> {
  const place = await opened.temporaryFolder('bench-published-');
  const main = join(place, 'main.mjs');
  await copyFile(join(await builtFolder('hosted'), 'dist', 'main.js'), main);
  await symlink(join((await installHosted()).folder, 'node_modules'), join(place, 'node_modules'));
  return main;
}

const Figures = z.tuple([z.object({ statements: z.coerce.number(), kept: z.coerce.number(), bytes: z.coerce.number() })]);

export const hosted: ReportRow = {
  name: 'hosted',
  title: 'A call of an agent through the server for many users, and what it keeps of a host',
  async run() {
    const opened = new OpenedParts();
    try {
      const sandbox = await opened.start('the sandbox', () => startSandbox({ limits: false }));
      for (let count = 0; count < 30; count += 1) sandbox.host.book({ start_time: freeStart(count) });
      const database = await openPostgres(await installHosted(), opened);
      const token = sandbox.issueToken().access_token;
      const folder = await opened.temporaryFolder('bench-hosted-');
      const start = async (program: string, more: (port: string) => readonly string[] = () => []) => {
        const port = await freePort();
        const env = { ...process.env, SCHEDULING_ACCESS_TOKEN: token, SCHEDULING_BASE_URL: sandbox.baseUrl, SCHEDULING_MCP_FOLDER: folder };
        const started = new Program(process.execPath, [program, ...more(String(port))], { env: { ...env, PORT: String(port) } });
        opened.add(program, () => started.stop());
        await started.answers(() => fetch(`http://127.0.0.1:${port}/`));
        return { port, pid: started.pid, token: 'none' };
      };
      const main = await publishedProgram(opened);
      const inFile = await startHosted({ sandbox, folder, main }, opened);
      const inPostgres = await startHosted({ sandbox, folder: '', databaseUrl: database.url, main }, opened);

      const connect = async (origin: string, account?: string): Promise<string> => {
        const assistant = new Assistant(origin, 'An assistant');
        await (await assistant.signIn(account)).close();
        return assistant.stored.tokens?.access_token ?? '';
      };
      const servers = {
        bare: await start(join(root, 'bench', 'bareServer.ts')),
        local: await start(await mcpProgram(), (port) => ['--http', port]),
        file: { port: inFile.port, pid: inFile.program.pid, token: await connect(inFile.origin) },
        postgres: { port: inPostgres.port, pid: inPostgres.program.pid, token: await connect(inPostgres.origin) },
      };
      const names = Object.keys(servers) as (keyof typeof servers)[];
      const used = { bare: [] as number[], local: [] as number[], file: [] as number[], postgres: [] as number[] };
      const call = async (name: keyof typeof servers): Promise<void> => {
        const { port, token: own } = servers[name];
        const { isError, text } = await askTool(port, own, 'list_bookings', { limit: 25 });
        if (isError) throw new Error(text);
      };
      for (let turn = -warmUp; turn < turns; turn += 1)
        for (const name of names) {
          const before = await processorTime(servers[name].pid);
          for (let count = 0; count < batch; count += atOnce) await Promise.all(Array.from({ length: atOnce }, () => call(name)));
          if (turn >= 0) used[name].push((await processorTime(servers[name].pid)) - before);
        }
      /** The median processor time of one call. Milliseconds. */
      const median = (name: keyof typeof used): number => (used[name].sort((one, other) => one - other)[turns / 2] ?? 0) / batch;
      const said = (name: keyof typeof used): string => `${rounded(median(name))} ms of processor time`;

      const figures = async () => {
        await sleep(countedLaterMs);
        const [row] = Figures.parse(
          await database.query(
            `SELECT (SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()) AS statements,
                    (SELECT count(*) FROM mcp_kept WHERE until > $1) AS kept,
                    pg_total_relation_size('mcp_kept') + pg_total_relation_size('mcp_calls') + pg_total_relation_size('mcp_locks') AS bytes`,
            [Date.now() + 86_400_000],
          ),
        );
        return row;
      };
      const idle = [await figures(), await figures()] as const;
      const own = idle[1].statements - idle[0].statements;
      for (let count = 0; count < 100; count += 1) await call('postgres');
      const called = await figures();
      for (let count = 0; count < hosts; count += 1) await connect(inPostgres.origin, sandbox.addAccount().id);
      const connected = await figures();
      const rows = (connected.kept - called.kept) / hosts;
      const against = `the SDK's server alone, with one tool that makes the same request: ${said('bare')}`;
      const line = (what: string, name: keyof typeof used, most: number) => ({
        ...{ what: `list_bookings of 25, ${what}`, ours: said(name), against },
        ...{ figure: median(name) / median('bare'), unit: 'x', most },
      });
      return [
        line('in PostgreSQL', 'postgres', 1.3),
        line('in a file', 'file', 1.3),
        line('through the local server over HTTP', 'local', 1.3),
        {
          ...{
            what: 'database statements of a call',
            ours: 'its token, its connection and the tokens of the service in one',
            against: 'the local server: none',
          },
          ...{ figure: (called.statements - idle[1].statements - own) / 100, unit: 'statements', most: 1.5 },
        },
        {
          ...{
            what: `what ${hosts} hosts leave who have just connected`,
            ours: `${rounded(rows)} rows for longer than a day`,
            against: 'the local server: a file',
          },
          ...{ figure: (connected.bytes - called.bytes) / hosts / 1_000, unit: 'kB a host', most: 30 },
        },
      ];
    } finally {
      await opened.closeAll();
    }
  },
};
