import { createServer, type Server } from 'node:http';
import type { PassThrough } from 'node:stream';
import { createReceiver, nodeHandler, type WebhookEvent } from '../../sdk/webhooks/index.ts';
import { Replay } from '../../sdk/cli/replay.ts';
import { serve } from '../support/serve.ts';
import { until } from '../support/until.ts';
import { CommandLine, type Ran } from './commandLine.ts';

/** `listen --forward` with an application on the package that handles each delivery once. */
let line: CommandLine;
let keyboard: PassThrough;
let application: Server;
let host: string;
let secret: string;
let ended: Promise<Ran>;
let handled: WebhookEvent[];
let fails: boolean;

beforeEach(async () => {
  [handled, fails] = [[], false];
  line = await CommandLine.open();
  const receiver = createReceiver({ subscription: () => ({ id: 'sub_1', signing_secret: secret }), onError: () => undefined });
  receiver.on(['BOOKING_CREATED', 'BOOKING_CANCELLED'], (event) => {
    if (fails) throw new Error('not ready');
    handled.push(event);
  });
  application = createServer((request, response) => void nodeHandler(receiver)(request, response));
  host = `127.0.0.1:${await serve(() => undefined, application)}`;
  const events = 'BOOKING_CREATED,BOOKING_CANCELLED';
  ended = line.ran(['listen', '--port', '0', '--events', events, '--forward', `http://${host}/hooks`, '--replay']);
  // Set for the time of the run only.
  keyboard = process.stdin as unknown as PassThrough;
  secret = await until(() => /with this signing secret: (\S+)$/m.exec(line.said.join('\n'))?.[1]);
});
afterEach(async () => {
  line.over.abort();
  expect(await ended).toMatchObject({ code: 0 });
  await line.close();
});

/** Types a line, and gives what is said about it. */
async function typed(text: string, answers = 1): Promise<string[]> {
  const before = line.said.length;
  keyboard.write(`${text}\n`);
  await until(() => line.said.length >= before + answers);
  return line.said.slice(before);
}

const booked = async () => {
  const before = line.out.length;
  const { id } = await line.stage.client().bookings.create(line.stage.wanted);
  await until(() => line.out.length > before);
  return id;
};

it('sends the deliveries of the run again, as new ones that the application verifies and handles', async () => {
  expect(await typed('')).toEqual(['There is no delivery yet.']);
  const ids = [await booked(), await booked()];
  await until(() => handled.length === 2);
  expect(await typed('', 2)).toEqual(Array(2).fill(`${host} answered BOOKING_CREATED, sent again, with 200.`));
  expect(handled.map(({ record }) => record.id)).toEqual([...ids, ...ids]);
  for (const key of ['delivery_key', 'delivery_id'] as const) expect(new Set(handled.map((event) => event[key])).size).toBe(4);
  expect(handled[2]?.record).toEqual(handled[0]?.record);
  expect(await typed(ids[1] ?? '')).toHaveLength(1);
  expect(handled[4]?.record.id).toBe(ids[1]);
  expect(await typed('bkg_none')).toEqual(['No delivery contains that.']);
});

it('also sends what the application did not handle, says so if it is not there, and goes on when the terminal is closed', async () => {
  fails = true;
  await booked();
  await until(() => line.said.some((said) => said.includes('answered BOOKING_CREATED with 500')));
  expect(await typed('')).toEqual([`${host} answered BOOKING_CREATED, sent again, with 500.`]);
  fails = false;
  await typed('');
  expect(handled).toHaveLength(1);
  application.closeAllConnections();
  application.close();
  expect(await typed('')).toEqual([`${host} cannot be reached (ECONNREFUSED), so it may not have handled BOOKING_CREATED.`]);
  keyboard.end();
  await booked();
});

it('keeps the last 100 deliveries', async () => {
  const replay = new Replay();
  for (let made = 1; made <= 102; made += 1)
    replay.keep({ event: 'BOOKING_CREATED', delivery_key: `key ${made}` } as WebhookEvent, `bkg_${made}.`, new TextEncoder().encode('{}'));
  const said: string[] = [];
  const over = new AbortController();
  const running = replay.run(`http://${host}/`, { id: 'sub_1', signing_secret: 'another' }, over.signal, (text) => void said.push(text));
  keyboard.write('bkg_1.\nbkg_2.\nbkg_3.\n');
  await until(() => said.length === 3);
  expect(said).toEqual([
    'No delivery contains that.',
    'No delivery contains that.',
    `${host} answered BOOKING_CREATED, sent again, with 401.`,
  ]);
  over.abort();
  await running;
});
