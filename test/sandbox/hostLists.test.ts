import { afterEach, describe, expect, it } from '@jest/globals';
import { DateTime } from 'luxon';
import { virtualClock, type Sandbox } from '../../sandbox/service.ts';
import { authorizeUrl, decide, openConsent, usual } from './authorize.ts';
import { inHtml, send, start, stopAll, typeNamed } from './support.ts';

afterEach(stopAll);

const rowsOf = async (sandbox: Sandbox, path: string): Promise<string[]> =>
  (await send(`${sandbox.origin}${path}`)).text.split('<tr').slice(2);
const request = (sandbox: Sandbox, name: string) =>
  sandbox.host.book({ event_type_id: typeNamed(sandbox, 'Design Review'), question_responses: { link: 'x' }, invitee_name: name });

describe('the lists of bookings', () => {
  it('offer Deny beside Approve for a pending booking, and call a denied one Denied', async () => {
    const sandbox = await start();
    request(sandbox, 'Wanda Waits');
    sandbox.host.deny(request(sandbox, 'Dana Denied').id);
    sandbox.host.cancel(sandbox.host.book({ invitee_name: 'Carla Cancelled' }).id);

    const [pending = ''] = await rowsOf(sandbox, '/host?show=waiting');
    expect(pending).toContain('Wanda Waits');
    for (const words of ['>Pending<', 'Approve the booking of Wanda Waits', 'Deny the booking of Wanda Waits'])
      expect(pending).toContain(words);

    const cancelled = await rowsOf(sandbox, '/host?show=cancelled');
    expect(cancelled.find((row) => row.includes('Dana Denied'))).toContain('>Denied<');
    expect(cancelled.find((row) => row.includes('Carla Cancelled'))).toContain('>Cancelled<');
  });

  it('count no cancelled booking as upcoming or past', async () => {
    const sandbox = await start();
    const counts = async () =>
      Object.fromEntries(
        [...(await send(`${sandbox.origin}/host`)).text.matchAll(/(\w+) <span class="count">(\d+)/g)].map(([, tab = '', count]) => [
          tab,
          Number(count),
        ]),
      );
    const before = await counts();
    const booking = sandbox.host.book();
    expect(await counts()).toEqual({ ...before, Upcoming: (before['Upcoming'] ?? 0) + 1 });
    sandbox.host.cancel(booking.id);
    expect(await counts()).toEqual({ ...before, Cancelled: (before['Cancelled'] ?? 0) + 1 });
  });

  it('say how many pages there are', async () => {
    const sandbox = await start();
    expect((await send(`${sandbox.origin}/host/contacts`)).text).toMatch(/Page 1 of [2-9]/);
  });
});

it('distinguish two receivers on one host by their paths, and show nothing of a query', async () => {
  const sandbox = await start();
  for (const path of ['one/webhook?key=of-the-query', 'other/webhook'])
    sandbox.host.addSecretlessSubscription({ url: `http://127.0.0.1:5678/webhook/${path}`, events: ['BOOKING_CREATED'] });
  const { text } = await send(`${sandbox.origin}/host/subscriptions`);
  for (const path of ['/webhook/one/webhook', '/webhook/other/webhook']) expect(text).toContain(path);
  expect(text).not.toContain('of-the-query');
});

it.each([
  ['Friday afternoon', '2027-03-05T15:40:00Z'],
  ['Saturday night', '2027-03-06T21:30:00Z'],
  ['a working day', '2027-03-02T10:00:00Z'],
])('the form proposes a time in working hours on %s', async (_when, now) => {
  const sandbox = await start({ clock: virtualClock(Date.parse(now)) });
  const { text } = await send(`${sandbox.origin}/host/types/${typeNamed(sandbox, 'Quarterly Review')}/book`);
  const [, proposed = ''] = /name="start_time"[^>]*value="([^"]+)"/.exec(text.replaceAll('\n', ' ')) ?? [];
  const begins = DateTime.fromISO(proposed, { zone: sandbox.account.timezone });
  const ends = begins.plus({ minutes: 90 });
  expect(begins.weekday).toBeLessThanOrEqual(5);
  expect([begins.hour >= 9, ends <= begins.startOf('day').set({ hour: 18 })]).toEqual([true, true]);
});

it('the list of applications distinguishes two platforms with one client id', async () => {
  const sandbox = await start();
  for (const redirect_uri of sandbox.client.redirectUris.filter((uri) => /5678|9000$/.test(uri)))
    await decide(sandbox, await openConsent(authorizeUrl(sandbox, usual(sandbox, { redirect_uri }))), 'approve');
  const rows = (await rowsOf(sandbox, '/host/applications')).join('');
  for (const name of ['n8n at localhost:5678', 'n8n at 127.0.0.1:5678', `${inHtml(sandbox.client.name)} at localhost:9000`])
    expect(rows).toContain(`<strong>${name}</strong>`);
});
