import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { program } from '../../sdk/cli/help.ts';
import { readListening } from '../../sdk/cli/listen.ts';
import { eventNames } from '../../sdk/webhooks/index.ts';
import { freePort } from '../../tools/process/freePort.ts';
import { serve } from '../support/serve.ts';
import { until } from '../support/until.ts';
import { CommandLine, type Ran } from './commandLine.ts';
import { bookingBody, headersOf, signatureOf } from './deliveries.ts';

let line: CommandLine;
let ended: Promise<Ran> | undefined;
beforeEach(async () => void (line = await CommandLine.open()));
afterEach(async () => {
  line.over.abort();
  await ended;
  await line.close();
});

/** Listens, and gives the address that it listens at. */
async function listening(...args: string[]): Promise<string> {
  ended = line.ran(['listen', ...(args.includes('--port') ? [] : ['--port', '0']), ...args]);
  void ended.then(({ said }) => line.said.push(`Ended: ${said}`));
  return until(() => {
    const said = line.said.join('\n');
    if (said.includes('Ended: ')) throw new Error(said);
    return /Listening at (\S+?\/)[. ]/.exec(said)?.[1];
  });
}

const stop = (): Promise<Ran | undefined> => {
  line.over.abort();
  return ended ?? Promise.resolve(undefined);
};

it('prints what was verified, says why anything else is refused, and leaves no subscription behind', async () => {
  const address = await listening('--events', 'BOOKING_CREATED, BOOKING_CANCELLED');
  expect(line.said).toEqual([`Listening at ${address}. Ctrl-C stops it and deletes its subscription.`]);
  expect(line.stage.sandbox.subscriptions()).toEqual([
    expect.objectContaining({ url: address, events: ['BOOKING_CREATED', 'BOOKING_CANCELLED'] }),
  ]);
  const booking = await line.stage.client().bookings.create(line.stage.wanted);
  await until(() => line.out.length > 0);
  expect(line.out[0]).toMatch(
    new RegExp(
      `^[\\d-]+ \\d\\d:[\\d:]+ Europe/Madrid BOOKING_CREATED ${booking.id} ${booking.invitee_name} at [\\d-]+ [\\d:]+ Europe/Madrid$`,
    ),
  );
  expect((await fetch(address, { method: 'POST', body: '{"event": "BOOKING_CREATED", "data": {"id": "forged"}}' })).status).toBe(401);
  await until(() => line.said.length > 1);
  expect(line.said[1]).toMatch(/^Refused \(401\): [A-Z][^\n]+\.$/);
  expect(await stop()).toMatchObject({ code: 0 });
  expect(line.stage.sandbox.subscriptions()).toEqual([]);
  await expect(fetch(address)).rejects.toThrow('fetch failed');
  expect(line.out).toHaveLength(1);
});

it('listens for every event and prints it as JSON, if that is wanted', async () => {
  await listening('--json');
  expect(line.stage.sandbox.subscriptions()).toMatchObject([{ events: eventNames }]);
  line.stage.sandbox.host.book();
  await until(() => line.out.length > 0);
  expect(JSON.parse(line.out[0] ?? '')).toMatchObject({ record: { id: expect.any(String) as string } });
});

it('forwards the bytes and headers as they came, again if they were not accepted, and says why it could not', async () => {
  const came: { headers: string[]; body: string }[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      came.push({ headers: request.rawHeaders, body });
      response.writeHead(came.length === 1 ? 300 : 200).end();
    });
  });
  const host = `127.0.0.1:${await serve(() => undefined, server)}`;
  const address = await listening('--events', 'BOOKING_CREATED', '--forward', `http://${host}/hooks`);
  const secret = await until(() => /with this signing secret: (\S+)$/m.exec(line.said.join('\n'))?.[1]);
  const body = ` ${bookingBody({ notes: 'Zoë \u{1f389}' })}\r\n`;
  const signed = Object.entries(headersOf({ body, signature: signatureOf(body, secret) }))
    .flat()
    .map(String);
  const repeated = ['X-Trace', 'a', 'x-trace', 'b, c', 'X-Name', 'caf\u00e9', 'Accept-Language', 'es'];
  const sent = async (): Promise<unknown> => {
    const sending = request(address, { method: 'POST', headers: ['Host', 'tunnel.example', ...signed, ...repeated], agent: false });
    const [answer] = (await once(sending.end(body), 'response')) as [IncomingMessage];
    return answer.resume().statusCode;
  };
  expect([await sent(), await sent()]).toEqual([500, 200]);
  expect(line.said.slice(2)).toEqual([`${host} answered BOOKING_CREATED with 300.`]);
  expect(came[1]).toEqual(came[0]);
  expect(came[0]?.body).toBe(body);
  const own = ['Host', host, 'Content-Length', String(Buffer.byteLength(body)), 'Connection', 'close'];
  expect(came[0]?.headers).toEqual([...signed, ...repeated, ...own]);
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
  await line.stage.client().bookings.create(line.stage.wanted);
  expect(await until(() => line.said[3])).toBe(
    `${host} cannot be reached (ECONNREFUSED), so it may not have handled BOOKING_CREATED. The service may send it again.`,
  );
});

it('subscribes the public address that leads to it, and leaves alone what others made for that address', async () => {
  const url = 'http://127.0.0.1:9/hooks';
  const { id } = await line.stage.client().subscriptions.create({ url, events: ['BOOKING_CREATED'] });
  const address = await listening('--url', url);
  expect(line.said).toEqual([`Listening at ${address} for ${url}. Ctrl-C stops it and deletes its subscription.`]);
  expect(line.stage.sandbox.subscriptions()).toEqual([expect.objectContaining({ id, url }), expect.objectContaining({ url })]);
  await stop();
  expect(line.stage.sandbox.subscriptions()).toEqual([expect.objectContaining({ id })]);
});

it('says whose deliveries it cannot verify, and how to end them, if another subscription has its address', async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const { id } = await line.stage.client().subscriptions.create({ url, events: ['BOOKING_CREATED'] });
  await listening('--port', String(port), '--events', 'BOOKING_CREATED');
  await line.stage.client().bookings.create(line.stage.wanted);
  await until(() => line.said.length > 1 && line.out.length > 0);
  expect(line.said[1]).toBe(
    `Refused (401): It is signed for another subscription of this address, perhaps one that a killed \`listen\` left behind. If nothing uses it, delete it:
  npx ${program} subscriptions delete --subscription-id ${id}`,
  );
  await stop();
  expect(line.stage.sandbox.subscriptions()).toEqual([expect.objectContaining({ id })]);
});

it('ends at once if it was stopped while it subscribed', async () => {
  line.stage.sandbox.faults.add({ route: 'POST /v1/webhook_subscriptions', kind: 'delay', delayMs: 20 });
  const ran = line.ran(['listen', '--port', '0']);
  line.over.abort();
  expect(await ran).toMatchObject({ code: 0 });
  expect(line.stage.sandbox.subscriptions()).toEqual([]);
});

it('ends as usual if someone else deleted its subscription, and says so if it could not be deleted', async () => {
  const { sandbox } = line.stage;
  await listening();
  sandbox.host.deleteSubscription(sandbox.subscriptions()[0]?.id ?? '');
  expect(await stop()).toMatchObject({ code: 0 });
  await listening();
  sandbox.faults.add({ route: 'DELETE /v1/hooks/:id', kind: 'status', status: 403 });
  expect(await stop()).toMatchObject({ code: 1, said: expect.stringContaining('lacks the permission webhooks:manage') as unknown });
});

it('takes its options as they are typed, and an empty address as none', () => {
  const typed = readListening(['--port', '65535', '--url=', '--forward=', '--json']);
  expect(typed).toEqual({ port: 65_535, url: undefined, events: eventNames, forward: undefined, replay: false, json: true });
  expect(readListening([])).toMatchObject({ port: 4040, json: false });
});

it('ends with a sentence if it may not subscribe, and listens no longer', async () => {
  const port = String(await freePort());
  const token = line.stage.token({ scopes: ['bookings:read'] });
  const refused = await line.ran(['listen', '--port', port], { SCHEDULING_ACCESS_TOKEN: token });
  expect(refused).toMatchObject({ code: 1, said: expect.stringContaining('webhooks:manage') as unknown });
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow('fetch failed');
});
