import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { type Booking, type Sandbox } from '../../sandbox/service.ts';
import { launchChromium, openContext } from '../support/browser.ts';
import { axeFindings } from '../support/axe.ts';
import { authorizeUrl, deliveryHeader, listenToAll, start, stopAll, typeNamed, type Listener } from './support.ts';

let browser: Browser;
let sandbox: Sandbox;
let listener: Listener;
beforeAll(async () => void (browser = await launchChromium()));
afterAll(() => browser.close());
beforeEach(async () => {
  sandbox = await start();
  listener = await listenToAll(sandbox);
});
afterEach(async () => {
  for (const context of browser.contexts()) await context.close();
  await stopAll();
});

/**
 * Opens a page of the host like a first-time visitor.
 *
 * @param complaints receives what the browser complains about: script errors, what the policy refused, and missing parts. A page's own
 *   status does not count.
 */
async function visit(path: string, complaints: string[] = []): Promise<Page> {
  const page = await (await openContext(browser, { viewport: { width: 1280, height: 900 } })).newPage();
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && message.location().url !== page.url()) complaints.push(message.text());
  });
  await page.goto(`${sandbox.origin}${path}`);
  return page;
}

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();
const follow = (page: Page, name: string | RegExp) => page.getByRole('link', { name, exact: true }).click();
const told = (page: Page) => page.locator('.flash').innerText();
const plain = (shown: string) => shown.replaceAll(/\s+/g, ' ');
const rowsOf = async (page: Page) => (await page.locator('#deliveries tbody tr').allInnerTexts()).map(plain);
const bookingNow = ({ id }: Booking) => sandbox.bookings().find((each) => each.id === id);
/** A day on which the seed has no booking. */
const freeDay = () => new Date(sandbox.clock.now() + 40 * 86_400_000).toISOString().slice(0, 10);
/** A booking, for which all events were already delivered: a request that waits, or a confirmed one. */
async function booked(invitee_name: string, type = 'Intro Call'): Promise<Booking> {
  const question_responses = type === 'Design Review' ? { link: 'https://drafts.example' } : {};
  const booking = sandbox.host.book({ event_type_id: typeNamed(sandbox, type), question_responses, invitee_name });
  await sandbox.settled();
  listener.received.splice(0);
  return booking;
}
const waiting = () => booked('Wanda Waits', 'Design Review');
const confirmed = () => booked('Conny Firmed');

describe('the host page', () => {
  it('books as an invitee, with an answer to every kind of question', async () => {
    const page = await visit('/host');
    await follow(page, 'Book as an invitee');
    await follow(page, 'Project Kick-off');
    const texts: [label: string, text: string][] = [
      ['Name', 'Nadia Ortiz'],
      ['Email', 'nadia@example.com'],
      ['Start', `${freeDay()}T10:00`],
      ['Notes', 'Two lines:\nthe second'],
      ['Company', 'Brightside'],
      ['How many people work on it?', '12.5'],
      ['When must it be finished?', '2059-06-30'],
    ];
    const exactly = (label: string) => page.getByLabel(new RegExp(`^${label.replace('?', '.')}( optional)?$`));
    for (const [label, text] of texts) await exactly(label).fill(text);
    const chosen = [
      ['Time zone', 'Asia/Tokyo'],
      ['Language', 'Spanish'],
      ['Is the confidentiality agreement signed?', 'No'],
      ['Budget', '5,000 to 20,000'],
    ] as const;
    for (const [label, option] of chosen) await exactly(label).selectOption(option);
    await exactly('Which services do you need?').selectOption(['Design', 'Hosting']);
    await press(page, 'Book');

    expect(await told(page)).toBe('The booking was created.');
    expect(sandbox.bookings().at(-1)).toMatchObject({
      status: 'CONFIRMED',
      start_time: `${freeDay()}T01:00:00.000Z`,
      invitee_name: 'Nadia Ortiz',
      invitee_email: 'nadia@example.com',
      invitee_timezone: 'Asia/Tokyo',
      locale: 'es',
      notes: 'Two lines:\nthe second',
      question_responses: {
        company: 'Brightside',
        team_size: 12.5,
        nda_signed: false,
        budget: '5,000 to 20,000',
        services: ['Design', 'Hosting'],
        deadline: '2059-06-30',
      },
    });
    expect(await listener.heard()).toEqual(['BOOKING_CREATED', 'CONTACT_CREATED']);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Nadia Ortiz');
  });

  it('says under the label of the field what is wrong with it, keeps what was typed, and books nothing', async () => {
    const before = sandbox.bookings().length;
    const page = await visit(`/host/types/${typeNamed(sandbox, 'Intro Call')}`);
    await page.getByLabel('Name').fill('Nadia Ortiz');
    // A browser takes this for an address.
    await page.getByLabel('Email').fill('nobody@here');
    await press(page, 'Book');
    expect(await told(page)).toBe('Nothing was changed. Email must be an email address.');
    expect(await page.getByLabel('Name').inputValue()).toBe('Nadia Ortiz');
    expect([sandbox.bookings().length, await listener.heard()]).toEqual([before, []]);
  });

  it('approves one request, and denies another with the reason', async () => {
    const [approved, denied] = [await waiting(), await waiting()];
    const page = await visit(`/host/bookings/${denied.id}`);
    await page
      .locator('article', { has: page.getByRole('button', { name: 'Deny' }) })
      .getByLabel('Reason')
      .fill('Fully booked');
    await press(page, 'Deny');
    expect(await told(page)).toBe("Wanda Waits's request was denied.");
    expect(bookingNow(denied)).toMatchObject({ status: 'CANCELLED', cancellation_reason: 'Fully booked' });
    await page.goto(`${sandbox.origin}/host/bookings/${approved.id}`);
    await press(page, 'Approve');
    expect(bookingNow(approved)?.status).toBe('CONFIRMED');
    expect(await listener.heard()).toEqual(['BOOKING_APPROVED', 'BOOKING_CREATED', 'BOOKING_DENIED']);
  });

  it("moves a booking to an hour on the host's own clock, says why one is refused, and if somebody was faster", async () => {
    const booking = await confirmed();
    const page = await visit(`/host/bookings/${booking.id}`);
    const move = async (to: string) => {
      await page.getByLabel('New start').fill(to);
      await press(page, 'Reschedule');
    };
    await move('2059-03-30T02:30');
    const skipped = 'New start (Europe/Madrid) does not exist in Europe/Madrid: the clocks go forward then.';
    expect(await told(page)).toBe(`Nothing was changed. ${skipped}`);
    expect([bookingNow(booking), await listener.heard()]).toEqual([booking, []]);
    await move('2059-07-01T10:00');
    expect(bookingNow(booking)).toMatchObject({ start_time: '2059-07-01T08:00:00.000Z', previous_start_time: booking.start_time });
    sandbox.host.cancel(booking.id);
    await press(page, 'Reschedule');
    expect(await told(page)).toMatch(/^Nothing was changed\..*is CANCELLED; only a CONFIRMED one can be rescheduled/);
  });

  it('shows a delivery in full, and sends it again with the same id and body', async () => {
    sandbox.host.cancel((await confirmed()).id);
    await sandbox.settled();
    const page = await visit('/host/deliveries');
    expect(await rowsOf(page)).toContainEqual(
      expect.stringMatching(/Booking Cancelled .* Conny Firmed Intro Call .*Delivered answered 200 in \d+ ms/),
    );
    await follow(page, 'Booking Cancelled');
    const [first = { headers: {}, body: '' }] = listener.received;
    const shown = await page.locator('pre').innerText();
    for (const name of ['Signature', 'Delivery-ID']) expect(shown).toContain(deliveryHeader(first, name));
    expect(JSON.parse(shown)).toMatchObject({ body: JSON.parse(first.body) as unknown, attempts: [{ status: 200 }] });
    await press(page, 'Send again');
    expect(await told(page)).toBe('Booking Cancelled was sent again with the same ID and body.');
    expect(await listener.heard()).toEqual(['BOOKING_CANCELLED', 'BOOKING_CANCELLED']);
    expect(listener.received[1]).toEqual(first);
  });

  it('shows what was given up, with the reason, and sends it again once its paused subscription is resumed', async () => {
    const booking = await confirmed();
    listener.answers.push(...Array<number>(6).fill(503));
    sandbox.host.cancel(booking.id);
    await sandbox.forward(3_600_000);
    const page = await visit('/host/subscriptions');
    await press(page, /^Pause/);
    expect(await told(page)).toContain('is paused');
    const failed = async () => {
      await page.goto(`${sandbox.origin}/host/deliveries?show=given-up`);
      return rowsOf(page);
    };
    expect(await failed()).toEqual([expect.stringMatching(/Booking Cancelled.*Failed after 6 tries.*answered 503 in \d+ ms, try 6/)]);
    await press(page, /^Send again/);
    expect(await told(page)).toContain('is paused. Resume it, then send the delivery again.');
    await page.goto(`${sandbox.origin}/host/subscriptions`);
    await press(page, /^Resume/);
    await failed();
    await press(page, /^Send again/);
    await sandbox.settled();
    expect(await failed()).toEqual(['No failed deliveries.']);
  });

  it('counts the subscriptions, and removes one', async () => {
    sandbox.host.addSecretlessSubscription({ url: 'http://127.0.0.1:9/by-hand?key=hidden', events: ['BOOKING_CREATED'] });
    const page = await visit('/host/subscriptions');
    expect(await page.locator('.lead').innerText()).toContain('2 of 25 used.');
    await press(page, 'Remove 127.0.0.1:9');
    expect(sandbox.subscriptions().map(({ url }) => url)).toEqual([listener.url]);
  });
});

/**
 * Everything that a page can show of deliveries: given up, belonging to a paused subscription, delivered, waiting for the next attempt, and
 * dropped with its subscription.
 */
async function deliverInEveryWay(): Promise<void> {
  const { host } = sandbox;
  const to = (path: string, event: 'BOOKING_CREATED' | 'CONTACT_UPDATED') =>
    host.addSecretlessSubscription({ url: `http://127.0.0.1:9/${path}`, events: [event] }).id;
  const paused = to('paused', 'BOOKING_CREATED');
  to('failing', 'BOOKING_CREATED');
  host.book();
  await sandbox.forward(3_600_000);
  host.setActive(paused, false);
  host.book();
  await sandbox.settled();
  listener.answers.push(500);
  host.cancel(host.book({ invitee_email: sandbox.contacts()[0]?.email }).id);
  const closed = to('closed', 'CONTACT_UPDATED');
  host.editContact(sandbox.contacts()[0]?.id ?? '', { phone: '1' });
  await sandbox.settled();
  host.deleteSubscription(closed);
}

const consentPath = (): string => {
  const scope = 'bookings:read bookings:write event_types:read contacts:read webhooks:manage';
  return authorizeUrl(sandbox, { scope }).slice(sandbox.origin.length);
};

const PAGES: [string, () => string][] = [
  ['the bookings', () => '/host/bookings'],
  ['a confirmed booking', () => `/host/bookings/${sandbox.host.book().id}`],
  ['a request that waits', () => `/host/bookings/${sandbox.bookings().find(({ status }) => status === 'PENDING')?.id}`],
  ['the event types', () => '/host/types'],
  ['the form of an invitee', () => `/host/types/${typeNamed(sandbox, 'Project Kick-off')}`],
  ['the subscriptions', () => '/host/subscriptions'],
  ['the deliveries', () => '/host/deliveries'],
  ['a delivery that was given up', () => `/host/deliveries/${sandbox.deliveries().find(({ status }) => status === 'failed')?.id}`],
  ['the applications', () => '/host/applications'],
  ['what is not there', () => '/host/nothing'],
  ['the consent page', consentPath],
  ['a connection that cannot be made', () => '/oauth/authorize?client_id=nobody'],
];

describe('on every page, in light on a desktop and in dark on a phone', () => {
  it.each(PAGES)('axe finds nothing, nothing is wider than the screen, and the browser complains of nothing: %s', async (_which, path) => {
    await deliverInEveryWay();
    const complaints: string[] = [];
    const page = await visit(path(), complaints);
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await axeFindings(page)).toEqual([]);
    await page.setViewportSize({ width: 375, height: 812 });
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await axeFindings(page)).toEqual([]);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(375);
    expect(complaints).toEqual([]);
  });
});
