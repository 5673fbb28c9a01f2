import { Client, type ClientOptions, type ElicitResult } from '@modelcontextprotocol/client';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { countUnderWay } from '../../hosted/underWay.ts';
import { startHosted, type Hosted } from '../../tools/rigs/mcp/hosted.ts';
import { askTool } from '../../bench/mcpProcesses.ts';
import { openedForFile } from '../support/hosted.ts';
import { until } from '../support/until.ts';
import { Assistant, bookingOf, callTool, idOf, introCall } from '../support/assistant.ts';
import { call as byHand } from '../support/byHand.ts';

const opened = openedForFile();
let sandbox: Sandbox;
let hosted: Hosted;

beforeAll(async () => {
  sandbox = await opened.start('the sandbox', () => startSandbox({ limits: false }));
  hosted = await startHosted({ sandbox, folder: await opened.temporaryFolder('hosted-') }, opened);
});
/** A client whose person can be asked, signed in, and a booking of their account. */
async function connectedWith(versionNegotiation: ClientOptions['versionNegotiation'], answer: ElicitResult) {
  const account = sandbox.addAccount();
  const assistant = new Assistant(hosted.origin, 'Asks');
  await assistant.signIn(account.id);
  const client = new Client(
    { name: 'asks', version: '1.0.0' },
    {
      capabilities: { elicitation: { form: {} } },
      ...(versionNegotiation && { versionNegotiation }),
    },
  );
  const asked: string[] = [];
  client.setRequestHandler('elicitation/create', ({ params }) => {
    asked.push(params.message);
    return answer;
  });
  await client.connect(assistant.transport());
  const eventType = introCall(await callTool(client, 'list_event_types'));
  const booking_id = idOf(await callTool(client, 'create_booking', bookingOf(eventType)));
  const status = () => sandbox.bookings().find(({ id }) => id === booking_id)?.status;
  return { client, asked, booking_id, status };
}

it('in the newer protocol, a permanent operation asks the person: it is done if they agree, and not if they decline', async () => {
  for (const { action, after } of [
    { action: 'decline', after: 'CONFIRMED' },
    { action: 'accept', after: 'CANCELLED' },
  ] as const) {
    const { client, asked, booking_id, status } = await connectedWith({ mode: 'auto' }, { action, content: {} });
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('cancel_booking');
    // What the model says does not count.
    await callTool(client, 'cancel_booking', { booking_id, confirm: true }).catch(() => undefined);
    expect(asked).toEqual([expect.stringMatching(/^Cancel the booking "Intro Call" of "Ada Lovelace"[^]*This cannot be undone\.$/)]);
    expect({ action, status: status() }).toEqual({ action, status: after });
    await client.close();
  }
});

it('in the older protocol, whose requests come alone, it is done once the call says that the person agreed', async () => {
  const { client, asked, booking_id, status } = await connectedWith(undefined, { action: 'accept', content: {} });
  expect(client.getNegotiatedProtocolVersion()).toBe('2025-11-25');
  await expect(callTool(client, 'cancel_booking', { booking_id })).rejects.toThrow(
    /Ask the person\. If they agree, call this again with "confirm"/,
  );
  expect(status()).toBe('CONFIRMED');
  await callTool(client, 'cancel_booking', { booking_id, confirm: true });
  expect({ asked, status: status() }).toEqual({ asked: [], status: 'CANCELLED' });
  await client.close();
});

it.each([undefined, { mode: 'auto' }] as const)(
  'a client whose call was under way when the process ended is told at once, and does not wait until its time is over (%j)',
  async (versionNegotiation) => {
    const own = await startHosted({ sandbox, folder: await opened.temporaryFolder('hosted-ends-') }, opened);
    const assistant = new Assistant(own.origin, 'Interrupted');
    await assistant.signIn(sandbox.addAccount().id);
    const client = new Client({ name: 'interrupted', version: '1.0.0' }, { ...(versionNegotiation && { versionNegotiation }) });
    await client.connect(assistant.transport());
    const asked = () => sandbox.requests().filter(({ path }) => path === '/v1/event-types').length;
    const before = asked();
    sandbox.faults.add({ route: 'GET /v1/event-types', kind: 'delay', delayMs: 120_000 });
    const ended = client.callTool({ name: 'list_event_types' }).catch(String);
    await until(() => asked() > before);
    await own.program.stop('SIGKILL');
    sandbox.faults.clear();
    expect(await ended).toMatch(/fetch failed|terminated|socket/);
  },
);

it('a caller that writes an empty list in place of no parameters is answered', async () => {
  const assistant = new Assistant(hosted.origin, 'Loose');
  await (await assistant.signIn(sandbox.addAccount().id)).close();
  const message = { method: 'tools/list', params: [] };
  const answer = await byHand(hosted.origin, assistant.stored.tokens?.access_token, message, 'application/json');
  expect(await answer.json()).toMatchObject({ result: { tools: expect.arrayContaining([expect.any(Object)]) as unknown } });
});

it('of one assistant, 20 calls are under way at once: one more is refused in words, and another account is answered', async () => {
  const [busy, other] = [new Assistant(hosted.origin, 'Busy'), new Assistant(hosted.origin, 'Other')];
  for (const assistant of [busy, other]) await (await assistant.signIn(sandbox.addAccount().id)).close();
  const ask = ({ stored }: Assistant) => askTool(hosted.port, stored.tokens?.access_token ?? '', 'list_event_types', {});
  sandbox.faults.add({ route: 'GET /v1/event-types', kind: 'delay', delayMs: 25_000, times: 20 });
  const asked = Array.from({ length: 21 }, () => ask(busy));
  // The others are held until one is answered.
  await Promise.race(asked);
  await sandbox.clock.advance(25_000);
  const all = await Promise.all(asked);
  expect(all.filter(({ isError }) => isError).map(({ text }) => text)).toEqual([expect.stringContaining('Too many calls are in progress')]);
  sandbox.faults.clear();
  for (const assistant of [busy, other]) expect(await ask(assistant)).toMatchObject({ isError: false });
});

it('of one account, 200 requests are open at once, and a hundred that take all they can leave an ordinary one its few', () => {
  const enter = countUnderWay({ ofOne: 200, ofAll: 2_000 });
  const takes = (who: string): number => {
    let taken = 0;
    while (enter(who) !== undefined) taken += 1;
    return taken;
  };
  const taken = Array.from({ length: 10 }, (_, at) => takes(`account ${at}`));
  expect(taken).toEqual([200, 200, 200, 200, 200, 200, 200, 200, 200, 100]);
  expect(takes('account 0')).toBe(0);
  for (let at = 10; at < 100; at += 1) takes(`account ${at}`);
  expect(takes('an ordinary account')).toBe(4);
});
