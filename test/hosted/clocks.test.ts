import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { installHosted, startHosted, type Hosted } from '../../tools/rigs/mcp/hosted.ts';
import { askTool } from '../../bench/mcpProcesses.ts';
import { openPostgres, type Postgres } from '../../tools/rigs/queue/postgres.ts';
import { openedForFile, whatIsWrongAtOnce } from '../support/hosted.ts';
import { until } from '../support/until.ts';
import { bookingOf, connectedPerson } from '../support/assistant.ts';
import { refreshForm, tokenFrom } from '../support/byHand.ts';

let sandbox: Sandbox;
let database: Postgres;
let right: Hosted;
const opened = openedForFile();

const day = 24 * 60 * 60_000;

beforeAll(async () => {
  // A service on which every double shows.
  sandbox = await opened.start('the sandbox', () => startSandbox({ file: ':memory:', limits: false, forms: { slots: 'shared' } }));
  database = await openPostgres(await installHosted(), opened);
  right = await startHosted({ sandbox, folder: '', databaseUrl: database.url }, opened);
});

afterAll(() => sandbox.faults.clear());

/** A machine whose clock is wrong, which only this can set. */
const clockAhead = (ms: number): string => `
  const Right = globalThis.Date;
  globalThis.Date = class extends Right {
    constructor(...parts) { if (parts.length === 0) super(Right.now() + ${ms}); else super(...parts); }
    static now() { return Right.now() + ${ms}; }
  };`;

const wrong = (ms: number): Promise<Hosted> =>
  startHosted(
    {
      sandbox,
      folder: '',
      databaseUrl: database.url,
      origin: right.origin,
      env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(clockAhead(ms))}` },
    },
    opened,
  );

const connected = (name: string) => connectedPerson(sandbox, right.origin, name, `${name} clock`);

const refreshed = async (at: Hosted, { client, refresh }: { client: string; refresh: string }): Promise<number> =>
  (await tokenFrom(`http://127.0.0.1:${at.port}`, refreshForm(client, refresh))).status;

const posts = (): number => sandbox.requests().filter(({ method, path }) => method === 'POST' && path.endsWith('/bookings')).length;

describe.each([
  ['100 seconds ahead', 100_000],
  ['70 seconds ahead', 70_000],
  ['40 seconds behind', -40_000],
])('a process whose clock is %s', (name, ms) => {
  it('books once what is asked of it and of another one, and answers what that one has given out', async () => {
    const other = await wrong(ms);
    const person = await connected(name);
    sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'delay', delayMs: 150, times: 'always' });
    const doubles = await whatIsWrongAtOnce(4, async (at) => {
      const [first, second] = at % 2 === 0 ? [right, other] : [other, right];
      const booking = bookingOf(person.eventType);
      const ask = ({ port }: Hosted) => askTool(port, person.token, 'create_booking', booking);
      const before = posts();
      const begun = ask(first);
      // While the first one is at work.
      await until(() => posts() > before);
      const told = await Promise.all([begun, ask(second)]);
      const made = sandbox.bookings().filter(({ start_time: start }) => Date.parse(start) === Date.parse(booking.start_time));
      if (made.length === 1 && told.every(({ record }) => record['id'] === made[0]?.id)) return [];
      return [{ at, made: made.map(({ id }) => id), told: told.map(({ record, text }) => record['id'] ?? text) }];
    });
    expect(doubles).toEqual([]);
    expect(await refreshed(other, person)).toBe(200);
    await other.program.stop();
  });
});

it('a clock that is 61 days ahead ends no connection, neither when it clears up nor when it is asked', async () => {
  const person = await connected('Two months');
  const other = await wrong(61 * day);
  await until(() => other.program.printed.includes("clock differs from the database's"));
  // It clears up as it starts, and once more than it takes.
  await until(async () => (await database.query("SELECT key FROM mcp_locks WHERE key = 'clearing'")).length === 0);
  for (const at of [right, other]) {
    expect(await askTool(at.port, person.token, 'get_current_user', {})).toMatchObject({ status: 200, isError: false });
    expect(await refreshed(at, person)).toBe(200);
  }
  await other.program.stop();
});
