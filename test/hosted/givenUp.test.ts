import { once } from 'node:events';
import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { installHosted } from '../../tools/rigs/mcp/hosted.ts';
import { startProcesses, type Processes } from '../../bench/mcpProcesses.ts';
import { openPostgres, type Postgres } from '../../tools/rigs/queue/postgres.ts';
import { openedForFile } from '../support/hosted.ts';
import { until } from '../support/until.ts';
import { Assistant } from '../support/assistant.ts';

// A service on which every double shows.
const opened = openedForFile();
let sandbox: Sandbox;
let processes: Processes;
let database: Postgres;

beforeAll(async () => {
  sandbox = await opened.start('the sandbox', () => startSandbox({ limits: false, forms: { slots: 'shared' } }));
  database = await openPostgres(await installHosted(), opened);
  processes = await startProcesses(2, { sandbox, folder: '', databaseUrl: database.url }, opened);
});
beforeEach(() => sandbox.faults.clear());

const protocols: [string, ClientOptions['versionNegotiation']][] = [
  ['2025-11-25', undefined],
  ['2026-07-28', { mode: 'auto' }],
];

describe.each(protocols)('under the protocol of %s', (version, versionNegotiation) => {
  let account: { id: string };
  let assistant: Assistant;
  let client: Client;
  /** One process gets the calls, and the other one the word that a call was given up. */
  const routed: typeof fetch = (input, init) => {
    const address = new URL(input instanceof Request ? input.url : input);
    const givesUp = JSON.stringify(init?.body)?.includes('notifications/cancelled') === true;
    if (address.pathname === '/mcp') address.port = String(processes.all[givesUp ? 1 : 0]?.port);
    const answer = fetch(address, init);
    if (givesUp) words.push(answer);
    return answer;
  };
  /** The words that calls were given up, on their way. */
  const words: Promise<unknown>[] = [];
  const opens = async (by: typeof fetch = routed) => {
    const made = new Client({ name: 'gives up', version: '1.0.0' }, { ...(versionNegotiation && { versionNegotiation }) });
    await made.connect(assistant.transport(by));
    return made;
  };
  beforeAll(async () => {
    account = sandbox.addAccount({ name: `Gives up ${version}` });
    assistant = new Assistant(processes.origin, `Gives up ${version}`);
    await (await assistant.signIn(account.id)).close();
    client = await opens();
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
  });
  afterAll(() => client.close());

  const call = async (name: string, given: object, by = client): Promise<Record<string, unknown>> => {
    const { isError, content, structuredContent } = await by.callTool({
      name,
      arguments: given as Record<string, unknown>,
    });
    return isError === true ? { isError, content } : (structuredContent as Record<string, unknown>);
  };

  let hours = 0;
  const wish = (more: object = {}) => ({
    event_type_id: sandbox.eventTypes().find((each) => each.account_id === account.id && each.name === 'Intro Call')?.id,
    start_time: new Date(Date.UTC(2031, 0, 1) + (hours += 1) * 3_600_000).toISOString(),
    invitee_name: 'Ada Lovelace',
    invitee_email: 'ada@example.com',
    ...more,
  });
  const madeFor = ({ start_time: at }: { start_time: string }) =>
    sandbox.bookings().filter((each) => each.account_id === account.id && Date.parse(each.start_time) === Date.parse(at));
  const isAsked = ({ start_time }: { start_time: string }) =>
    sandbox
      .requests()
      .some(({ body }) => Date.parse(String((body as { start_time?: unknown } | null)?.start_time)) === Date.parse(start_time));
  const hooks = () => sandbox.subscriptions().filter((each) => each.account_id === account.id);

  /** How a caller stops waiting. */
  type End = (name: string, given: object, isSent: () => Promise<unknown>) => Promise<void>;
  const cancels: End = async (name, given, isSent) => {
    const over = new AbortController();
    const left = client.callTool({ name, arguments: given as Record<string, unknown> }, { signal: over.signal }).catch(() => 'left');
    await isSent();
    over.abort();
    expect(await left).toBe('left');
  };
  const timesOut: End = async (name, given) => {
    const left = client.callTool({ name, arguments: given as Record<string, unknown> }, { timeout: 800 }).catch(() => 'left');
    expect(await left).toBe('left');
  };
  const hangsUp: End = async (name, given, isSent) => {
    const over = new AbortController();
    const other = await opens((input, init) =>
      fetch(input, { ...init, signal: AbortSignal.any([over.signal, ...(init?.signal ? [init.signal] : [])]) }),
    );
    void other.callTool({ name, arguments: given as Record<string, unknown> }).catch(() => undefined);
    await isSent();
    over.abort();
    await other.close().catch(() => undefined);
  };

  /** A minute after all calls and their giving up: who has read an answer may wish for another one. */
  const later = async () => {
    await Promise.all(words.splice(0));
    const underWay = 'SELECT id FROM mcp_calls WHERE told = 0 UNION ALL SELECT key FROM mcp_locks WHERE until IS NOT NULL';
    await until(async () => (await database.query(underWay)).length === 0);
    await database.query('UPDATE mcp_calls SET ended_at = ended_at - 60000');
    await database.query("UPDATE mcp_kept SET used_at = used_at - 60000 WHERE kind IN ('Cancelled', 'Told')");
  };
  const held = { delayMs: 2_500, times: 3 };

  it.each([
    ['before the service has it', 'delay'],
    ['before the service answers', 'delay-after'],
  ] as const)(
    'a booking whose call is cancelled, timed out or cut off %s is told to an identical call, and not made again',
    async (_, kind) => {
      const ends = [cancels, timesOut, hangsUp].map((end) => ({ end, given: wish() }));
      sandbox.faults.add({ route: 'POST /v1/bookings', kind, ...held });
      await Promise.all(ends.map(({ end, given }) => end('create_booking', given, () => until(() => isAsked(given)))));
      await later();
      for (const { given } of ends) {
        const told = await call('create_booking', given);
        expect(madeFor(given).map(({ id }) => id)).toEqual([told['id']]);
      }
      // They have been read now: who asks again wants another one.
      await later();
      for (const { given } of ends) await call('create_booking', given);
      expect(ends.map(({ given }) => madeFor(given).length)).toEqual([2, 2, 2]);
    },
  );

  it('a booking that was given up when its answer was on its way is not made again either, also if a batch says so', async () => {
    const given = wish();
    let answered = false;
    const over = new AbortController();
    const late = await opens(async (input, init) => {
      const said = typeof init?.body === 'string' ? init.body : '';
      const answer = await routed(input, said.includes('notifications/cancelled') ? { ...init, body: `[${said}]` } : init);
      if (!JSON.stringify(init?.body)?.includes('tools/call')) return answer;
      const text = await answer.text();
      answered = true;
      await once(over.signal, 'abort');
      return new Response(text, answer);
    });
    const left = late.callTool({ name: 'create_booking', arguments: given }, { signal: over.signal }).catch(() => 'left');
    await until(() => answered);
    over.abort();
    expect(await left).toBe('left');
    await later();
    // The newer protocol gives up by closing a connection, which has ended already.
    const isHeard = version === '2025-11-25';
    const told = await call('create_booking', given);
    expect(madeFor(given).some(({ id }) => id === told['id'])).toBe(true);
    expect(madeFor(given)).toHaveLength(isHeard ? 1 : 2);
    await late.close();
  });

  it('a stranger with an account of their own gives up nothing of this one, under whatever number', async () => {
    const given = wish();
    const eve = new Assistant(processes.origin, `Eve ${version}`);
    await (await eve.signIn(sandbox.addAccount({ name: `Eve ${version}` }).id)).close();
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${eve.stored.tokens?.access_token}` };
    await call('create_booking', given);
    for (let requestId = 0; requestId < 60; requestId += 1) {
      const body = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
      expect((await fetch(`${processes.origin}/mcp`, { method: 'POST', headers, body })).status).toBe(202);
    }
    await later();
    // It was told and read, so this is another wish.
    await call('create_booking', given);
    expect(madeFor(given)).toHaveLength(2);
  });

  it('a cancellation that was given up is told as done by the same call, and not as done before', async () => {
    const { id: booking_id } = await call('create_booking', wish());
    sandbox.faults.add({ route: 'POST /v1/bookings/:id/cancel', kind: 'delay-after', ...held });
    const isCancelled = () => sandbox.bookings().some(({ id, status }) => id === booking_id && status === 'CANCELLED');
    await cancels('cancel_booking', { booking_id, confirm: true }, () => until(isCancelled));
    await later();
    expect(await call('cancel_booking', { booking_id, confirm: true })).toMatchObject({ status: 'CANCELLED', already_cancelled: false });
  });

  it('a subscription whose secret nobody has read is deleted by the same call, which makes another', async () => {
    const given = { url: `http://127.0.0.1:9/${version}`, events: ['BOOKING_CREATED'] };
    sandbox.faults.add({ route: 'POST /v1/hooks', kind: 'delay-after', delayMs: 1_500 });
    await cancels('create_subscription', given, () => until(() => hooks().length > 0));
    const [unread] = hooks().map(({ id }) => id);
    await later();
    const told = await call('create_subscription', given);
    expect(told['signing_secret']).toEqual(expect.any(String));
    expect(hooks().map(({ id }) => id)).toEqual([told['id']]);
    expect(told['id']).not.toBe(unread);
  });

  it('calls at once for one person and slot that differ are all sent, at both processes', async () => {
    const given = wish();
    const seats = [{ notes: 'seat 1: vegan' }, { notes: 'seat 2: nut allergy' }, { locale: 'fr' }];
    const other = await opens(fetch);
    const told = await Promise.all(seats.map((seat) => call('create_booking', { ...given, ...seat }, other)));
    await other.close();
    expect(madeFor(given)).toHaveLength(3);
    expect(new Set(told.map(({ id }) => id))).toEqual(new Set(madeFor(given).map(({ id }) => id)));
  });
});
