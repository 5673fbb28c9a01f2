import { createServer } from 'node:http';
import { createReceiver, nodeHandler, type WebhookEvent } from '../../sdk/webhooks/index.ts';
import { CommandLine } from './commandLine.ts';
import { subscribed } from './deliveries.ts';
import { listening, type Serving } from './servers.ts';

let line: CommandLine;
let program: Serving;
const received: WebhookEvent[] = [];
beforeAll(async () => {
  line = await CommandLine.open();
  const receiver = createReceiver({ subscription: subscribed }).on('BOOKING_CANCELLED', (event) => void received.push(event));
  program = await listening(createServer((...pair) => void nodeHandler(receiver)(...pair)).listen(0, '127.0.0.1'));
});
afterAll(async () => {
  await program.stop();
  await line.close();
});
const trigger = (args: string[], secret = subscribed.signing_secret) =>
  line.ran(['trigger', ...args], { SCHEDULING_SIGNING_SECRET: secret });

it('sends a running program a delivery that it accepts, and nothing to the service', async () => {
  const before = line.stage.sandbox.requests().length;
  expect(await trigger(['BOOKING_CANCELLED', '--to', program.url])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/ with 200: /) as string,
  });
  expect(received).toEqual([expect.objectContaining({ event: 'BOOKING_CANCELLED' })]);
  expect(line.stage.sandbox.requests()).toHaveLength(before);
});

it('fails with the answer of a program that refuses it, or that is not there', async () => {
  const refused = await trigger(['BOOKING_CANCELLED', '--to', program.url], 'whsec_another');
  expect(refused).toMatchObject({ code: 1, said: expect.stringMatching(/answered BOOKING_CANCELLED with 401: /) as string });
  expect(refused.said).not.toContain('whsec_another');
  expect(await trigger(['BOOKING_CANCELLED', '--to', 'http://127.0.0.1:9/'])).toMatchObject({
    code: 1,
    said: '127.0.0.1:9 cannot be reached.',
  });
});

it.each([
  [['BOOKING_MADE'], 'trigger takes one event: BOOKING_CREATED, '],
  [['BOOKING_CREATED', '--to', 'localhost:3000'], '--to takes an address with http:// or https://.'],
])('%j was typed wrongly: a sentence says how', async (args, words) => {
  expect(await trigger(args)).toMatchObject({ code: 2, said: expect.stringContaining(words) as string });
});
