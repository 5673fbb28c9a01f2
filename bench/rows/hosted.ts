import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/v4';
import { startSandbox } from '../../sandbox/service.ts';
import { mcpProgram } from '../../tools/build/products.ts';
import { freePort } from '../../tools/process/freePort.ts';
import { Program } from '../../tools/process/program.ts';
import { Assistant, installHosted, startHosted } from '../../tools/rigs/mcp/hosted.ts';
import { askTool } from '../../tools/rigs/mcp/processes.ts';
import { openPostgres } from '../../tools/rigs/queue/postgres.ts';
import { Opened } from '../../tools/start/opened.ts';
import { rounded, type Row } from '../report.ts';
import { processorTime } from '../stage.ts';

/** So many calls in a turn, and turns; and hosts who connect, to weigh what is kept of one. */
const [batch, turns, warmUp, hosts] = [25, 12, 2, 50];

/** PostgreSQL counts the statements of an idle connection later. Milliseconds. */
const countedLaterMs = 12_000;

const Figures = z.tuple([z.object({ statements: z.coerce.number(), kept: z.coerce.number(), bytes: z.coerce.number() })]);

export const hosted: Row = {
  name: 'hosted',
  title: 'A call of an agent through the server for many users, and what it keeps of a host',
  async run() {
    const opened = new Opened();
    try {
      const sandbox = await opened.start(
        'the sandbox',
        () => startSandbox({ limits: false }),
        (started) => started.stop(),
      );
      const database = await openPostgres({ name: 'bench-hosted', installation: await installHosted() }, opened);
      const token = sandbox.issueToken().access_token;
      const [localPort, folder] = [await freePort(), await opened.temporaryFolder('bench-hosted-')];
      const env = { ...process.env, SCHEDULING_ACCESS_TOKEN: token, SCHEDULING_BASE_URL: sandbox.baseUrl, SCHEDULING_MCP_FOLDER: folder };
      const local = new Program(process.execPath, [await mcpProgram(), '--http', String(localPort)], { env });
      opened.add('the local server', () => local.stop());
      await local.answers(() => fetch(`http://127.0.0.1:${localPort}/`));
      const inFile = await startHosted({ sandbox, folder }, opened);
      const inPostgres = await startHosted({ sandbox, folder: '', databaseUrl: database.url }, opened);

      const connect = async (origin: string): Promise<string> => {
        const assistant = new Assistant(origin, 'An assistant');
        await (await assistant.signIn(sandbox.addAccount().id)).close();
        return assistant.stored.tokens?.access_token ?? '';
      };
      const servers = {
        local: { port: localPort, pid: local.pid, token: 'none' },
        file: { port: inFile.port, pid: inFile.program.pid, token: await connect(inFile.origin) },
        postgres: { port: inPostgres.port, pid: inPostgres.program.pid, token: await connect(inPostgres.origin) },
      };
      const names = Object.keys(servers) as (keyof typeof servers)[];
      const took = { local: [] as number[], file: [] as number[], postgres: [] as number[] };
      const used = { local: 0, file: 0, postgres: 0 };
      for (let turn = -warmUp; turn < turns; turn += 1)
        for (const name of names) {
          const { port, pid, token: own } = servers[name];
          const before = await processorTime(pid);
          for (let count = 0; count < batch; count += 1) {
            const begunAt = performance.now();
            const { isError, text } = await askTool(port, own, 'list_event_types', {});
            if (isError) throw new Error(text);
            if (turn >= 0) took[name].push(performance.now() - begunAt);
          }
          if (turn >= 0) used[name] += (await processorTime(pid)) - before;
        }
      const median = (name: keyof typeof took): number => took[name].sort((one, other) => one - other)[(batch * turns) / 2] ?? 0;
      const said = (name: keyof typeof took): string =>
        `${rounded(median(name))} ms, ${rounded(used[name] / (batch * turns))} ms of processor time`;

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
      for (let count = 0; count < 100; count += 1) await askTool(inPostgres.port, servers.postgres.token, 'list_event_types', {});
      const called = await figures();
      for (let count = 0; count < hosts; count += 1) await connect(inPostgres.origin);
      const connected = await figures();
      const rows = (connected.kept - called.kept) / hosts;
      const against = `the local server over HTTP: ${said('local')}`;
      return [
        {
          ...{ what: 'list_event_types, in a file', ours: said('file'), against },
          ...{ figure: median('file') / median('local'), unit: 'x', most: 2 },
        },
        {
          ...{ what: 'list_event_types, in PostgreSQL', ours: said('postgres'), against },
          ...{ figure: median('postgres') / median('local'), unit: 'x', most: 2.5 },
        },
        {
          ...{
            what: 'database statements of a call',
            ours: 'its token, its connection, the tokens of the service',
            against: 'the local server: none',
          },
          ...{ figure: (called.statements - idle[1].statements - own) / 100, unit: 'statements', most: 4 },
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
