import { request } from 'node:http';
import { Backend } from '../../tools/rigs/zapier/backend.ts';
import type { Outcome } from '../../tools/rigs/zapier/zap.ts';
import { zapPage } from '../../tools/start/zapPage.ts';

/** What a Zap made of a delivery: its items, or nothing if it was dropped. */
export const outcome = (items: Record<string, unknown>[]): Outcome => ({
  request: {} as Outcome['request'],
  items,
  error: undefined,
  arrivedAt: Date.now(),
  doneAt: 0,
});
export const booking = {
  event: 'BOOKING_CREATED',
  invitee_name: '<b>Ada</b> & "Co"',
  event_type_name: 'Intro Call',
  start_time: '2030-03-05T09:00:00Z',
};

let backend: Backend;
let outcomes: Outcome[];
beforeEach(async () => {
  outcomes = [];
  backend = await Backend.start();
  backend.page = () => zapPage({ trigger: 'booking_created', outcomes }, 'http://127.0.0.1:4010');
});
afterEach(() => backend.stop());

/** The status when the browser uses this host name. */
const statusUnder = (host: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    request(backend.origin, { headers: { host } }, (response) => resolve(response.resume().statusCode))
      .once('error', reject)
      .end();
  });

test('the page of the Zap says what to do until something comes, then what came, the newest first, and what was dropped', async () => {
  const shown = async () => (await fetch(backend.origin)).text();
  expect(await shown()).toContain('Nothing has arrived yet.');
  outcomes.push(outcome([booking]), outcome([]));
  const page = await shown();
  expect(page.indexOf('Dropped')).toBeLessThan(page.indexOf('Booking Created</td>'));
  expect(page).toContain('&#60;b&#62;Ada&#60;/b&#62; &#38; &#34;Co&#34;, Intro Call, ');
  expect(page).not.toContain('<b>');
});

test('it only answers to names of this machine: a page from elsewhere cannot read it', async () => {
  const { port } = new URL(backend.origin);
  expect(await statusUnder(`localhost:${port}`)).toBe(200);
  expect(await statusUnder(`evil.example:${port}`)).toBe(403);
  expect((await fetch(backend.origin)).headers.get('access-control-allow-origin')).toBeNull();
});
