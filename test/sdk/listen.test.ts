import { once } from 'node:events';
import { createServer, request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { listen, readListening } from '../../sdk/cli/listen.ts';
import { createReceiver, eventNames, nodeHandler, type WebhookEvent } from '../../sdk/webhooks/index.ts';
import { freePort } from '../../tools/process/freePort.ts';
import { serve } from '../support/serve.ts';
import { until } from '../support/until.ts';
import { CommandLine, type Ran } from './commandLine.ts';
import { bookingBody, header, headersOf, signatureOf, subscribed } from './deliveries.ts';
import { delivered } from '../support/wire.ts';

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
  const zone = '\\(Europe/Madrid, UTC\\+\\d\\)';
  expect(line.out[0]).toMatch(
    new RegExp(`^[\\d-]+ \\d\\d:[\\d:]+ ${zone} BOOKING_CREATED ${booking.id} ${booking.invitee_name} at [\\d-]+ [\\d:]+ ${zone}$`),
  );
  expect((await fetch(address, { method: 'POST', body: JSON.stringify(delivered('BOOKING_CREATED', { id: 'forged' })) })).status).toBe(401);
  await until(() => line.said.length > 1);
  expect(line.said[1]).toMatch(/^Refused \(401\): [A-Z][^\n]+\.$/);
  expect(await stop()).toMatchObject({ code: 0 });
  expect(line.stage.sandbox.subscriptions()).toEqual([]);
  await expect(fetch(address)).rejects.toThrow('fetch failed');
  expect(line.out).toHaveLength(1);
});

it('that ends after another account was connected says which account still has its subscription', async () => {
  const { sandbox } = line.stage;
  const { id: accountId } = sandbox.addAccount({ email: 'grace@example.com' });
  let auth = line.stage.token();
  const over = new AbortController();
  const said: string[] = [];
  const done = listen(line.stage.client({ auth: () => auth }), readListening(['--port', '0']), {
    signal: over.signal,
    print: () => undefined,
    say: (text) => said.push(text),
  });
  await until(() => said.length > 0 && sandbox.requests().some(({ path }) => path === '/v1/me'));
  auth = line.stage.token({ accountId });
  over.abort();
  await expect(done).rejects.toThrow(/is still in the account "morgan@host\.example"/);
  expect(sandbox.subscriptions()).toHaveLength(1);
});

it('listens for every event and prints it as JSON, if that is wanted', async () => {
  await listening('--json');
  expect(line.stage.sandbox.subscriptions()).toMatchObject([{ events: eventNames }]);
  line.stage.sandbox.host.book();
  await until(() => line.out.length > 0);
  expect(JSON.parse(line.out[0] ?? '')).toMatchObject({ record: { id: expect.any(String) as string } });
});

it('forwards the bytes and headers as they came, again if they were not accepted, and says why it could not', async () => {
  const came: { headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      came.push({ headers: request.headers, body });
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
  const others = ['X-Trace', 'a', 'x-trace', 'b, c', 'X-Name', 'caf\u00e9'];
  const sent = async (): Promise<unknown> => {
    const sending = request(address, { method: 'POST', headers: ['Host', 'tunnel.example', ...signed, ...others], agent: false });
    const [answer] = (await once(sending.end(body), 'response')) as [IncomingMessage];
    return answer.resume().statusCode;
  };
  expect([await sent(), await sent()]).toEqual([500, 200]);
  expect(line.said.slice(2)).toEqual([`${host} answered BOOKING_CREATED with 300.`]);
  expect(came[1]).toEqual(came[0]);
  expect(came[0]?.body).toBe(body);
  const names = ['content-type', ...['Signature', 'Event', 'Delivery-ID', 'Timestamp'].map((name) => header(name).toLowerCase())];
  expect(came[0]?.headers).toMatchObject({ host, 'x-trace': 'a, b, c', 'x-name': 'caf\u00e9' });
  for (const name of names) expect(signed).toContain(came[0]?.headers[name]);
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
  await line.stage.client().bookings.create(line.stage.wanted);
  expect(await until(() => line.said[3])).toBe(
    `${host} cannot be reached (ECONNREFUSED). It may not have handled BOOKING_CREATED. The service may send it again.`,
  );
});

it('has the subscription for its public address, and leaves alone another one for it', async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const { id } = await line.stage.client().subscriptions.create({ url, events: ['BOOKING_CREATED'] });
  const address = await listening('--port', String(port), '--url', url, '--events', 'BOOKING_CREATED');
  expect(line.said).toEqual([`Listening at ${address} for ${url}. Ctrl-C stops it and deletes its subscription.`]);
  await line.stage.client().bookings.create(line.stage.wanted);
  await until(() => line.said.length > 1 && line.out.length > 0);
  await stop();
  expect(line.stage.sandbox.subscriptions()).toEqual([expect.objectContaining({ id })]);
});

it('says that its port is taken, and subscribes to nothing', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const { code, said } = await line.ran(['listen', '--port', String(port)]);
  taken.close();
  expect([code, said]).toEqual([1, `Port ${port} is taken. Choose another with --port.`]);
  expect(line.stage.sandbox.subscriptions()).toEqual([]);
});

it('says that it needs a public address if the service runs elsewhere', async () => {
  const { code, said } = await line.ran(['listen', '--port', '0'], { SCHEDULING_BASE_URL: 'https://example.com/api/v1' });
  expect([code, said]).toEqual([1, expect.stringMatching(/ at example\.com cannot deliver to .+ with --url\.$/s) as unknown]);
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

const trigger = (args: string[], secret = subscribed.signing_secret) =>
  line.ran(['trigger', ...args], { SCHEDULING_SIGNING_SECRET: secret });

it('`trigger` sends a running program a delivery that it accepts, and nothing to the service; else it fails with its answer', async () => {
  const received: WebhookEvent[] = [];
  const receiver = createReceiver({ subscription: subscribed }).on('BOOKING_CANCELLED', (event) => void received.push(event));
  const to = `http://127.0.0.1:${await serve((...pair) => void nodeHandler(receiver)(...pair))}/`;
  const sent = await trigger(['BOOKING_CANCELLED', '--to', to]);
  expect(sent).toMatchObject({ code: 0, out: expect.stringMatching(/ with 200: /) as string });
  expect(received).toEqual([expect.objectContaining({ event: 'BOOKING_CANCELLED' })]);
  expect(line.stage.sandbox.requests()).toEqual([]);
  const refused = await trigger(['BOOKING_CANCELLED', '--to', to], 'whsec_another');
  expect(refused).toMatchObject({ code: 1, said: expect.stringMatching(/answered BOOKING_CANCELLED with 401: /) as string });
  expect(refused.said).not.toContain('whsec_another');
  const nobody = await trigger(['BOOKING_CANCELLED', '--to', `http://127.0.0.1:${await freePort()}/`]);
  expect(nobody).toMatchObject({
    code: 1,
    said: expect.stringMatching(/^127\.0\.0\.1:\d+ cannot be reached \(ECONNREFUSED\)\.$/) as string,
  });
});
