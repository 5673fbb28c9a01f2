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
/** Opens what an action of a row sends, changes it, and sends it. */
async function change(page: Page, id: string, action: string, to: (text: string) => string): Promise<void> {
  const opened = page.locator(`[id="${id}"] details`, { has: page.locator('summary', { hasText: action }) });
  await opened.locator('summary').click();
  const field = opened.getByLabel('What to send');
  await field.fill(to(await field.inputValue()));
  await opened.getByRole('button', { name: action }).click();
}
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
  it('books as an invitee does, with what it proposes or with something else', async () => {
    const page = await visit('/host');
    await follow(page, 'Event types');
    await change(page, typeNamed(sandbox, 'Project Kick-off'), 'Book', (text) =>
      text.replace('Robin Sample', 'Nadia Ortiz').replace('"notes": ""', '"notes": "Two lines:\\nthe second"'),
    );
    expect(await told(page)).toBe('The booking was created.');
    expect(sandbox.bookings().at(-1)).toMatchObject({
      status: 'CONFIRMED',
      invitee_name: 'Nadia Ortiz',
      notes: 'Two lines:\nthe second',
      question_responses: { company: 'Brightside Studio', team_size: 12, services: ['Design', 'Development'] },
    });
    expect(await listener.heard()).toEqual(['BOOKING_CREATED', 'CONTACT_CREATED']);
  });

  it('approves one request, denies another with the reason, and moves a booking unless somebody was faster', async () => {
    const [approved, denied, moved] = [await waiting(), await waiting(), await confirmed()];
    const page = await visit('/host/bookings');
    await change(page, denied.id, 'Deny', () => '{ "reason": "Fully booked" }');
    expect(await told(page)).toBe("Wanda Waits's request was denied.");
    expect(bookingNow(denied)).toMatchObject({ status: 'CANCELLED', cancellation_reason: 'Fully booked' });
    await page.locator(`[id="${approved.id}"]`).getByRole('button', { name: 'Approve' }).click();
    expect(bookingNow(approved)?.status).toBe('CONFIRMED');
    const move = () => change(page, moved.id, 'Reschedule', () => '{ "start_time": "2059-07-01T10:00:00+02:00" }');
    await move();
    expect(bookingNow(moved)).toMatchObject({ start_time: '2059-07-01T08:00:00.000Z', previous_start_time: moved.start_time });
    sandbox.host.cancel(moved.id);
    await move();
    expect(await told(page)).toMatch(/^Nothing was changed\..*is CANCELLED; only a CONFIRMED one can be rescheduled/);
    const events = ['BOOKING_APPROVED', 'BOOKING_CANCELLED', 'BOOKING_CREATED', 'BOOKING_DENIED', 'BOOKING_RESCHEDULED'];
    expect(await listener.heard()).toEqual(events);
  });

  it('shows a delivery in full, and sends it again with the same id and body', async () => {
    sandbox.host.cancel((await confirmed()).id);
    await sandbox.settled();
    const page = await visit('/host/deliveries');
    expect(await rowsOf(page)).toContainEqual(
      expect.stringMatching(/Booking Cancelled .* Conny Firmed Intro Call .*Delivered answered 200 in \d+ ms/),
    );
    await page.locator('#deliveries tr', { hasText: 'Booking Cancelled' }).locator('summary').click();
    const [first = { headers: {}, body: '' }] = listener.received;
    const shown = await page.locator('pre').locator('visible=true').innerText();
    for (const name of ['Signature', 'Delivery-ID']) expect(shown).toContain(deliveryHeader(first, name));
    expect(JSON.parse(shown)).toMatchObject({ body: JSON.parse(first.body) as unknown, attempts: [{ status: 200 }] });
    await press(page, 'Send again Booking Cancelled');
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
      await page.goto(`${sandbox.origin}/host/deliveries`);
      return (await rowsOf(page)).filter((row) => row.includes('Failed'));
    };
    expect(await failed()).toEqual([expect.stringMatching(/Booking Cancelled.*Failed after 6 tries.*answered 503 in \d+ ms, try 6/)]);
    await press(page, 'Send again Booking Cancelled');
    expect(await told(page)).toContain('is paused. Resume it, then send the delivery again.');
    await page.goto(`${sandbox.origin}/host/subscriptions`);
    await press(page, /^Resume/);
    await failed();
    await press(page, 'Send again Booking Cancelled');
    await sandbox.settled();
    expect(await failed()).toEqual([]);
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
  ['the event types', () => '/host/types'],
  ['the subscriptions', () => '/host/subscriptions'],
  ['the deliveries', () => '/host/deliveries'],
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
    await page.evaluate("for (const each of [...document.querySelectorAll('details')].slice(0, 12)) each.open = true");
    expect(await axeFindings(page)).toEqual([]);
    await page.setViewportSize({ width: 375, height: 812 });
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await axeFindings(page)).toEqual([]);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(375);
    expect(complaints).toEqual([]);
  });
});
