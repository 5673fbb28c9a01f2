import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { installHosted } from '../../tools/rigs/mcp/hosted.ts';
import { askTool, startProcesses, type Asked, type Processes } from '../../bench/mcpProcesses.ts';
import { openPostgres, type Postgres } from '../../tools/rigs/queue/postgres.ts';
import { Browser, textOf } from '../../tools/rigs/zapier/browser.ts';
import { OpenedParts } from '../../tools/process/opened.ts';
import { bookingOf, connectedPerson, connectionsPage, throughPages } from '../support/assistant.ts';
import { authorizePath, codeForm, refreshForm, registered, tokenFrom } from '../support/byHand.ts';
import { whatIsWrongAtOnce } from '../support/hosted.ts';
import { until } from '../support/until.ts';

let sandbox: Sandbox;
let database: Postgres;
let processes: Processes;
const opened = new OpenedParts();

beforeAll(async () => {
  // A service on which every double shows.
  sandbox = await opened.start('the sandbox', () => startSandbox({ file: ':memory:', limits: false, forms: { slots: 'shared' } }));
  database = await openPostgres(await installHosted(), opened, true);
  processes = await startProcesses(2, { sandbox, folder: '', databaseUrl: database.url }, opened);
});

afterAll(async () => {
  sandbox.faults.clear();
  expect(await opened.closeAll()).toEqual([]);
});

const times = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

/** An assistant that a person has just connected to an account of their own, through pages that both processes answer in turn. */
async function connected(name: string) {
  const person = await connectedPerson(sandbox, processes.origin, name, `${name}'s assistant`);
  const ask = (process: number, tool: string, args: object = {}): Promise<Asked> =>
    askTool(processes.all[process]?.port ?? 0, person.token, tool, args);
  return { ...person, ask };
}

const madeAt = (start: string) => sandbox.bookings().filter(({ start_time: at }) => Date.parse(at) === Date.parse(start));

/** Asks the token endpoint of one process. */
const tokenAt = (process: number, form: Record<string, string>) => tokenFrom(`http://127.0.0.1:${processes.all[process]?.port}`, form);

const refreshes = (): number =>
  sandbox.requests().filter(({ path, body, committed }) => path === '/api/oauth/token' && committed && isRefresh(body)).length;
const isRefresh = (body: unknown): boolean => (body as { grant_type?: unknown } | null)?.grant_type === 'refresh_token';

describe('one call at two processes', () => {
  it('a booking that is asked of both at once is made once, and both are told of it', async () => {
    const { ask, eventType } = await connected('Twice');
    // Busy machines begin "at once" at different moments.
    sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'delay', delayMs: 150, times: 'always' });
    const wrong = await whatIsWrongAtOnce(25, async (at) => {
      const booking = bookingOf(eventType);
      const told = await Promise.all([0, 1].map((process) => ask(process, 'create_booking', booking)));
      const ids = madeAt(booking.start_time).map(({ id }) => id);
      if (ids.length === 1 && told.every(({ record }) => record['id'] === ids[0])) return [];
      return [{ at, ids, told: told.map(({ record, text }) => record['id'] ?? text) }];
    });
    sandbox.faults.clear();
    expect(wrong).toEqual([]);
  });

  it('a secret goes to one caller only, and what it belongs to stays', async () => {
    const { ask, account } = await connected('Secret');
    const wrong = await whatIsWrongAtOnce(25, async (at) => {
      const args = { url: `http://127.0.0.1:9/${randomUUID()}`, events: ['BOOKING_CREATED'] };
      const told = await Promise.all(
        [0, 1].map(async (process) => {
          // Sometimes the first one has ended, and its caller is just being told.
          await sleep(process * at);
          return ask(process, 'create_subscription', args);
        }),
      );
      const there = sandbox.subscriptions().filter((each) => each.account_id === account.id);
      const secrets = told.filter(({ record }) => typeof record['signing_secret'] === 'string').map(({ record }) => record);
      for (const { id } of there) sandbox.host.deleteSubscription(id);
      if (secrets.length === 1 && there.length === 1 && secrets[0]?.['id'] === there[0]?.id) return [];
      return [{ at, there: there.map(({ id }) => id), told: told.map(({ record, text }) => record['id'] ?? text) }];
    });
    expect(wrong).toEqual([]);
  });

  it.each([
    ['its answer came', 'POST /v1/bookings', 'delay-after'],
    ['its caller was told', 'GET /v1/me', 'delay'],
  ] as const)('a process that is killed before %s loses nothing: the same call elsewhere finds the booking', async (_, route, kind) => {
    const { ask, eventType } = await connected('Killed');
    const booking = bookingOf(eventType);
    sandbox.faults.add({ route, kind, delayMs: 60_000 });
    const lost = ask(0, 'create_booking', booking).catch(() => undefined);
    while (madeAt(booking.start_time).length === 0) await sleep(20);
    await sleep(500);
    await processes.kill(0);
    expect(await lost).toBeUndefined();
    sandbox.faults.clear();
    const told = await ask(1, 'create_booking', booking);
    expect(madeAt(booking.start_time).map(({ id }) => id)).toEqual([told.record['id']]);
    await processes.restart(0);
  });
});

const isSeen = async (what: string): Promise<void> => {
  while ((await database.query(what)).length === 0) await sleep(20);
};

/** Keeps everybody from a table. @returns lets them */
async function held(table: string): Promise<() => Promise<void>> {
  const holding = database.query(`DO $$ BEGIN LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE; PERFORM pg_sleep(600); END $$`).catch(String);
  await isSeen(`SELECT 1 FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND granted AND relation = '${table}'::regclass`);
  return async () => {
    await database.query("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE query LIKE 'DO %' AND state = 'active'");
    await holding;
  };
}

it('a process that was frozen before it recorded a booking sends nothing if another one has made it meanwhile', async () => {
  const { ask, eventType } = await connected('Frozen');
  const booking = bookingOf(eventType);
  const signal = (name: NodeJS.Signals) => process.kill(processes.all[0]?.program.pid ?? 0, name);
  const letGo = await held('mcp_calls');
  const late = ask(0, 'create_booking', booking);
  // It has the lock of the call, and asks what is known of it.
  await isSeen("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'SELECT%mcp_calls%'");
  signal('SIGSTOP');
  try {
    await letGo();
    await database.query('UPDATE mcp_locks SET until = 0');
    const made = await ask(1, 'create_booking', booking);
    await sleep(6_500);
    signal('SIGCONT');
    expect((await late).text).toContain('nothing more was sent');
    expect(madeAt(booking.start_time).map(({ id }) => id)).toEqual([made.record['id']]);
  } finally {
    signal('SIGCONT');
  }
});

it('requests whose clients leave while their token is looked up are not counted as open for ever', async () => {
  const { ask, token } = await connected('Leaves early');
  const letGo = await held('mcp_kept');
  const left = new AbortController();
  const all = times(220).map(() => askTool(processes.all[0]?.port ?? 0, token, 'list_event_types', {}, left.signal).catch(() => undefined));
  await isSeen("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'SELECT%mcp_kept%'");
  await sleep(1_000);
  left.abort();
  await Promise.all(all);
  await letGo();
  // As soon as it has noticed that they left.
  await until(async () => (await ask(0, 'list_event_types')).status === 200);
  expect(await ask(0, 'list_event_types')).toMatchObject({ status: 200, isError: false });
});

describe('what the database cannot keep is refused in a sentence, and people who are connected read on', () => {
  async function whileNothingIsKept(name: string, hinder: () => Promise<void>, mend: () => Promise<void>): Promise<void> {
    const { ask, eventType, client, refresh, assistant, account } = await connected(name);
    const [browser, stopAt] = [new Browser(), assistant.redirectUrl];
    const asked = processes.origin + authorizePath(client, stopAt);
    // A sign-in up to its last address, at which the library keeps the code that the assistant redeems.
    const last = (await throughPages(browser, asked, `${processes.origin}/auth/`, account.id)).url;
    // Their last use is to be noted again.
    await database.query('UPDATE mcp_kept SET used_at = used_at - 120000');
    const booking = bookingOf(eventType);
    try {
      await hinder();
      for (const process of [0, 1]) expect(await ask(process, 'list_event_types')).toMatchObject({ status: 200, isError: false });
      expect((await ask(1, 'create_booking', booking)).text).toContain('Nothing was sent');
      expect((await fetch(`${processes.origin}/connections`, { method: 'POST', headers: { origin: processes.origin } })).status).toBe(503);
      // Clients that read another code send the person to sign in again.
      expect(await tokenAt(0, refreshForm(client, refresh))).toMatchObject({ status: 503, body: { error: 'temporarily_unavailable' } });
      const { status, html } = await browser.open(last, { stopAt });
      expect([status, textOf(html)]).toEqual([503, expect.stringMatching(/cannot answer now.*Try again in a minute\.$/)]);
    } finally {
      await mend();
    }
    expect(madeAt(booking.start_time)).toEqual([]);
    expect(await ask(1, 'create_booking', booking)).toMatchObject({ isError: false });
    expect((await tokenAt(1, refreshForm(client, refresh))).status).toBe(200);
  }

  it('while it can only be read', async () => {
    const readOnly = async (is: string) => {
      await database.query(`ALTER SYSTEM SET default_transaction_read_only = ${is}`);
      await database.query('SELECT pg_reload_conf()');
      // All connections are told of it together.
      await isSeen(`SELECT 1 WHERE current_setting('default_transaction_read_only') = '${is}'`);
    };
    await whileNothingIsKept(
      'Read only',
      () => readOnly('on'),
      () => readOnly('off'),
    );
  });

  it('while its disk is full', async () => {
    const fill = async () => {
      for (const [bytes, rows] of [
        [1_800, 500],
        [1_800, 20],
        [1_800, 1],
        [80, 1],
      ] as const) {
        // What did not fit as a whole has left room.
        await database.query('VACUUM mcp_kept');
        while (await hasRoomFor(bytes, rows));
      }
    };
    await whileNothingIsKept('Full disk', fill, async () => {
      await database.query("DELETE FROM mcp_kept WHERE kind = 'Filler'");
      await database.query('VACUUM mcp_kept');
    });
  });
});

const hasRoomFor = (bytes: number, rows: number): Promise<boolean> =>
  database
    .query(
      `INSERT INTO mcp_kept (kind, id, sealed, used_at, until)
       SELECT 'Filler', gen_random_uuid(), repeat('x', ${bytes}), 0, 9e15 FROM generate_series(1, ${rows})`,
    )
    .then(
      () => true,
      (error: unknown) => {
        expect(String(error)).toContain('could not extend file');
        return false;
      },
    );

describe('one connection at two processes', () => {
  it('one code that is sent four times at once is redeemed once', async () => {
    const redirectUri = 'https://codes.example/callback';
    const id = await registered(processes.origin, { redirect_uris: [redirectUri] });
    const redeemed: number[] = [];
    while (redeemed.length < 25) {
      const landed = await throughPages(new Browser(), processes.origin + authorizePath(id, redirectUri), redirectUri);
      const form = codeForm(id, redirectUri, landed.url);
      const answers = await Promise.all(times(4).map((at) => tokenAt(at % 2, form)));
      redeemed.push(answers.filter(({ status }) => status === 200).length);
    }
    expect(redeemed).toEqual(times(25).map(() => 1));
  });

  describe('a refresh token that comes again', () => {
    const later = (minutes: number) =>
      database.query(`UPDATE mcp_kept SET consumed_at = consumed_at - ${minutes * 60_000} WHERE kind = 'RefreshToken'`);
    const refreshed = async (process: number, client: string, refresh: string) => {
      const { status, body } = await tokenAt(process, refreshForm(client, refresh));
      return { status, error: body['error'], token: String(body['access_token']), refresh: String(body['refresh_token']) };
    };
    const statuses = (tokens: readonly string[]): Promise<number[]> =>
      Promise.all(tokens.map(async (each, at) => (await askTool(processes.all[at % 2]?.port ?? 0, each, 'get_current_user', {})).status));

    it('five times at once, and 10 and 25 minutes later, is that of an honest client; after half an hour it ends the connection', async () => {
      const { refresh, client, token } = await connected('Five');
      const tokens = [token];
      const takes = async (times: number, first: number): Promise<void> => {
        const all = await Promise.all(Array.from({ length: times }, (_, at) => refreshed((first + at) % 2, client, refresh)));
        expect(all.map(({ status }) => status)).toEqual(all.map(() => 200));
        tokens.push(...all.map((each) => each.token));
      };
      await takes(5, 0);
      await later(10);
      await takes(1, 0);
      await later(15);
      await takes(1, 1);
      expect(await statuses(tokens)).toEqual(tokens.map(() => 200));
      await later(6);
      expect(await refreshed(0, client, refresh)).toMatchObject({ status: 400, error: 'invalid_grant' });
      expect(await statuses(tokens)).toEqual(tokens.map(() => 401));
    });

    it('two generations old ends the connection at once', async () => {
      const { refresh, client, token } = await connected('Old');
      const second = await refreshed(0, client, refresh);
      const third = await refreshed(1, client, second.refresh);
      expect(await statuses([token, second.token, third.token])).toEqual([200, 200, 200]);
      // The one before is still an honest repeat, and a client that is not its own ends nothing.
      expect(await refreshed(0, client, second.refresh)).toMatchObject({ status: 200 });
      const { client: another } = await connected('Another');
      expect(await refreshed(0, another, refresh)).toMatchObject({ status: 400 });
      expect(await statuses([third.token])).toEqual([200]);
      expect(await refreshed(1, client, refresh)).toMatchObject({ status: 400, error: 'invalid_grant' });
      expect(await statuses([token, second.token, third.token])).toEqual([401, 401, 401]);
    });
  });

  it('a connection that its person ends is refused by every process at once', async () => {
    const { ask, account } = await connected('Ended');
    expect((await Promise.all([0, 1].map((process) => ask(process, 'get_current_user')))).map(({ status }) => status)).toEqual([200, 200]);
    const browser = new Browser();
    const page = await connectionsPage(browser, processes.origin, account.id);
    const theirs = await browser.press(page, /^disconnect/i, { fields: { connection: 'somebody-elses' } });
    expect(textOf(theirs.html)).toContain('no longer connected');
    expect(textOf((await browser.press(page, /^disconnect/i)).html)).toContain('is disconnected.');
    expect((await Promise.all([0, 1].map((process) => ask(process, 'get_current_user')))).map(({ status }) => status)).toEqual([401, 401]);
  });

  it('a connection that is ended at the service is told of once in words, then refused, and gone from the page', async () => {
    const { ask, account, assistant } = await connected('Revoked');
    sandbox.revokeAccess(account.id);
    const told = await ask(0, 'list_bookings');
    expect(told).toMatchObject({ status: 200, isError: true });
    expect(told.text).toMatch(/has expired or was revoked[\s\S]*signs in again/);
    expect((await ask(1, 'list_bookings')).status).toBe(401);
    const page = textOf((await connectionsPage(new Browser(), processes.origin, account.id)).html);
    expect(page).toContain('No assistant is connected');
    expect(page).not.toContain(String(assistant.clientMetadata.client_name));
  });

  // Last, because it moves the clock of the service.
  it("each expiry of the service's token is followed by one refresh, however many calls find it", async () => {
    const { ask } = await connected('Expired');
    const counts: number[] = [];
    while (counts.length < 3) {
      await sandbox.forward(3_700_000);
      const before = refreshes();
      const told = await Promise.all(times(12).map((at) => ask(at % 2, 'list_event_types')));
      expect(told.map(({ isError }) => isError)).toEqual(told.map(() => false));
      counts.push(refreshes() - before);
    }
    expect(counts).toEqual([1, 1, 1]);
  });

  // Which answers these are, the core's own test says.
  it('an answer to a refresh that is not about the connection ends none, and is told', async () => {
    const { ask } = await connected('Refused');
    await sandbox.forward(3_700_000);
    sandbox.faults.add({ route: 'POST /api/oauth/token', kind: 'status', status: 401, body: { error: 'Unauthorized' } });
    expect(await ask(0, 'list_event_types')).toMatchObject({ status: 200, isError: true });
    expect(await ask(1, 'list_event_types')).toMatchObject({ status: 200, isError: false });
  });

  it('an answer to a revocation that is not about the connection keeps the tokens of a person who disconnects, to be revoked later', async () => {
    const { ask, account } = await connected('Not revoked');
    const browser = new Browser();
    const page = await connectionsPage(browser, processes.origin, account.id);
    for (const route of ['revoke', 'token'])
      sandbox.faults.add({ route: `POST /api/oauth/${route}`, kind: 'status', status: 401, body: { message: 'Unauthenticated.' } });
    const told = textOf((await browser.press(page, /^disconnect/i)).html);
    expect(told).toContain('is disconnected here. The service has not confirmed it yet');
    expect((await ask(0, 'list_event_types')).status).toBe(401);
    expect(await database.query("SELECT kind FROM mcp_kept WHERE kind = 'Ended'")).toEqual([{ kind: 'Ended' }]);
  });
});
