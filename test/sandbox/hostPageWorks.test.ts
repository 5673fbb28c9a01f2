import { describe, expect, it } from '@jest/globals';
import { DateTime } from 'luxon';
import type { Page } from 'playwright-core';
import type { Booking, Sandbox } from '../../sandbox/service.ts';
import { withBrowser, type Scene } from './chromium.ts';
import { caller, deliveryHeader, typeNamed, type Listener } from './support.ts';

let sandbox: Sandbox;
let listener: Listener;
let visit: Scene['visit'];
withBrowser((scene) => ({ sandbox, listener, visit } = scene));

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();
const open = (page: Page, summary: string) => page.locator('summary', { hasText: summary }).click();
const told = (page: Page) => page.locator('.flash').innerText();
const bookingNow = ({ id }: Booking) => sandbox.bookings().find((each) => each.id === id);
const HOST_ZONE = 'Europe/Madrid';
/** The one time at which the host's pages show a booking. */
const hostTime = (at = '') => `${DateTime.fromISO(at, { zone: HOST_ZONE }).toFormat('ccc d LLL yyyy, HH:mm')}, ${HOST_ZONE}`;
const plain = (shown: string) => shown.replaceAll(/\s+/g, ' ');
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
    await page.getByRole('link', { name: 'Book as an invitee' }).click();
    await page.getByRole('link', { name: 'Book Project Kick-off' }).click();
    const fill = (label: string, text: string) => page.getByLabel(label).fill(text);
    await fill('Name', 'Nadia Ortiz');
    await page.getByLabel('Email', { exact: true }).fill('nadia@example.com');
    await fill('Start', `${freeDay()}T10:00`);
    await page.getByLabel('Time zone').selectOption('Asia/Tokyo');
    await page.getByLabel('Language').selectOption('Spanish');
    await fill('Notes', 'Two lines:\nthe second');
    await fill('Company', 'Brightside');
    await fill('What should the project achieve?', 'More of everything');
    await fill('How many people work on it?', '12.5');
    await page.getByLabel('Is the confidentiality agreement signed?').selectOption('No');
    await page.getByLabel('Budget').selectOption('5,000 to 20,000');
    await page.getByLabel('Design').check();
    await page.getByLabel('Hosting').check();
    await fill('A phone number for the day', '+34 600 000 042');
    await fill('Email address for invoices', 'invoices@example.com');
    await fill('When must it be finished?', '2059-06-30');
    await press(page, 'Book');

    expect(await told(page)).toBe(
      'The booking was created. Sending Contact Created to one subscription, Booking Created to one subscription.',
    );
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
        goals: 'More of everything',
        team_size: 12.5,
        nda_signed: false,
        budget: '5,000 to 20,000',
        services: ['Design', 'Hosting'],
        mobile: '+34 600 000 042',
        billing_email: 'invoices@example.com',
        deadline: '2059-06-30',
      },
    });
    expect(await listener.heard()).toEqual(['BOOKING_CREATED', 'CONTACT_CREATED']);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Project Kick-off with Nadia Ortiz');
  });

  it('says beside every field what is wrong with it, keeps what was typed, and books nothing', async () => {
    const before = sandbox.bookings().length;
    const page = await visit(`/host/types/${typeNamed(sandbox, 'Project Kick-off')}/book`);
    await page.getByLabel('Email', { exact: true }).fill('nobody');
    await page.getByLabel('Start').fill('2020-01-01T10:00');
    await page.getByLabel('Design').check();
    await page.getByLabel('A phone number for the day').fill('by mail');
    await press(page, 'Book');

    expect(await page.locator('.error').allInnerTexts()).toEqual([
      'Name must not be empty.',
      'Email must be an email address.',
      'The answer is required ("Company").',
      'The answer is required ("Budget").',
      'The answer must be a phone number.',
    ]);
    expect(await page.getByRole('alert').innerText()).toBe('Nothing was saved. Correct the 5 marked fields.');
    expect(await page.getByLabel('Email', { exact: true }).inputValue()).toBe('nobody');
    expect(await page.getByLabel('A phone number for the day').inputValue()).toBe('by mail');
    expect([await page.getByLabel('Design').isChecked(), await page.getByLabel('Support').isChecked()]).toEqual([true, false]);
    await page.getByRole('alert').getByRole('link').first().click();
    expect(await page.locator(':focus').getAttribute('name')).toBe('invitee_name');
    expect(sandbox.bookings()).toHaveLength(before);
    expect(await listener.heard()).toEqual([]);
  });

  it('approves one request, and denies another with the reason', async () => {
    const denied = await waiting();
    const denial = await visit(`/host/bookings/${denied.id}`);
    await denial.locator('.action', { hasText: 'Deny booking' }).getByLabel('Reason').fill('Fully booked');
    await press(denial, 'Deny booking');
    expect(await told(denial)).toContain("Wanda Waits's request was denied. Sending Booking Denied");
    expect(bookingNow(denied)).toMatchObject({ status: 'CANCELLED', cancellation_reason: 'Fully booked' });
    expect(await denial.locator('.badge').first().innerText()).toBe('Denied');
    await denial.reload();
    expect(await denial.locator('.flash').count()).toBe(0);
    expect(await listener.heard()).toEqual(['BOOKING_DENIED']);

    const booking = await waiting();
    const page = await visit('/host');
    await page.getByRole('link', { name: /^Pending/ }).click();
    expect(await page.getByRole('button', { name: 'Deny the booking of Wanda Waits' }).count()).toBe(1);
    await press(page, 'Approve the booking of Wanda Waits');
    expect(await told(page)).toBe(
      "Wanda Waits's booking was approved. Sending Booking Approved to one subscription, Booking Created to one subscription.",
    );
    expect(bookingNow(booking)?.status).toBe('CONFIRMED');
    expect(await listener.heard()).toEqual(['BOOKING_APPROVED', 'BOOKING_CREATED']);
  });

  it("moves a booking to an hour on the host's own clock, and says beside the field why one is refused", async () => {
    const booking = await confirmed();
    const taken = sandbox
      .bookings()
      .find(({ status, start_time }) => status === 'CONFIRMED' && Date.parse(start_time) > sandbox.clock.now());
    const page = await visit(`/host/bookings/${booking.id}`);
    const local = new Intl.DateTimeFormat('sv-SE', { timeZone: sandbox.account.timezone, dateStyle: 'short', timeStyle: 'short' });
    await page.getByLabel('New start').fill(local.format(new Date(taken?.start_time ?? '')).replace(' ', 'T'));
    await press(page, 'Reschedule booking');
    expect(await page.locator('.error').innerText()).toBe(`New start ${hostTime(taken?.start_time)} is taken by another booking.`);
    expect(await listener.heard()).toEqual([]);

    await page.getByLabel('New start').fill('2059-03-30T02:30');
    await press(page, 'Reschedule booking');
    expect(await page.locator('.error').innerText()).toBe('New start does not exist in Europe/Madrid: the clocks go forward then.');
    expect(bookingNow(booking)).toEqual(booking);

    await page.getByLabel('New start').fill('2059-07-01T10:00');
    await press(page, 'Reschedule booking');
    expect(await told(page)).toContain('Sending Booking Rescheduled to one subscription.');
    expect(bookingNow(booking)).toMatchObject({ start_time: '2059-07-01T08:00:00.000Z', previous_start_time: booking.start_time });
    expect(await listener.heard()).toEqual(['BOOKING_RESCHEDULED']);
  });

  it('says so if somebody else was faster', async () => {
    const booking = await confirmed();
    const page = await visit(`/host/bookings/${booking.id}`);
    sandbox.host.cancel(booking.id);
    await press(page, 'Reschedule booking');
    expect(await told(page)).toMatch(/^Nothing was changed\..*is CANCELLED; only a CONFIRMED one can be rescheduled/);
    expect(await listener.heard()).toEqual(['BOOKING_CANCELLED']);
  });

  it('edits a contact, and sends nothing if nothing differs', async () => {
    const page = await visit('/host/contacts');
    await page.getByRole('link', { name: 'Dmitri Volkov' }).click();
    await page.getByLabel('Phone').fill('+44 20 7946 0000');
    await page.getByLabel('Notes').fill('Two\nlines');
    await press(page, 'Save');
    expect(await told(page)).toBe('Dmitri Volkov was saved. Sending Contact Updated to one subscription.');
    expect(sandbox.contacts().find(({ name }) => name === 'Dmitri Volkov')).toMatchObject({
      phone: '+44 20 7946 0000',
      notes: 'Two\nlines',
    });
    await press(page, 'Save');
    expect(await told(page)).toContain('No changes to save.');
    expect(await listener.heard()).toEqual(['CONTACT_UPDATED']);
  });

  it('shows whom a delivery is about and what was answered, and what was sent about a booking; each page leads back', async () => {
    const booking = sandbox.host.book({ invitee_name: 'Conny Firmed', invitee_timezone: 'Asia/Tokyo' });
    await sandbox.settled();
    const page = await visit('/host/deliveries');
    const title = () => page.getByRole('heading', { level: 1 }).innerText();
    await page.getByRole('row', { name: 'Contact Created' }).getByRole('link', { name: 'Conny Firmed' }).click();
    expect(await title()).toBe('Conny Firmed');
    await page.getByRole('link', { name: 'Back to contacts' }).click();
    expect(await title()).toBe('Contacts');

    await page.goto(`${sandbox.origin}/host/deliveries`);
    await page.getByRole('link', { name: 'Booking Created' }).click();
    expect(await title()).toBe('Booking Created');
    expect(plain(await page.locator('#attempts-rows').innerText())).toMatch(/^1 .* 200 answer \d \d+ ms$/);
    await page.getByRole('link', { name: 'Conny Firmed' }).click();
    expect(await title()).toBe('Intro Call with Conny Firmed');
    expect(plain(await page.locator('#deliveries-rows').innerText())).toMatch(/^Booking Created .* Delivered answered 200 in \d+ ms$/);
    await page.getByRole('link', { name: 'Booking Created' }).click();
    await page.getByRole('link', { name: 'Back to deliveries' }).click();
    expect(await title()).toBe('Deliveries');

    // One time, with its zone, wherever it appears.
    const [from, zone] = [hostTime(booking.start_time).slice(0, -HOST_ZONE.length - 2), HOST_ZONE];
    for (const path of [`/host/bookings/${booking.id}`, `/host/contacts/${sandbox.contacts().at(-1)?.id}`]) {
      await page.goto(`${sandbox.origin}${path}`);
      expect(plain(await page.locator('main').innerText())).toMatch(new RegExp(`${from}–\\d\\d:\\d\\d, ${zone}`));
    }
    await page.getByRole('link', { name: 'Intro Call' }).click();
    sandbox.host.reschedule(booking.id, { start_time: '2059-07-01T08:00:00Z' });
    await page.reload();
    expect(plain(await page.locator('main').innerText())).toContain(`Rescheduled from ${hostTime(booking.start_time)}`);
    await page.getByRole('link', { name: 'Back to bookings' }).click();
    expect(await title()).toBe('Bookings');
    expect(await page.locator('main').innerText()).toContain(`time zone, ${zone}.`);
  });

  it('shows a delivery in full, and sends it again with the same id and body', async () => {
    sandbox.host.cancel((await confirmed()).id);
    await sandbox.settled();
    const page = await visit('/host/deliveries');
    const row = page.getByRole('row', { name: /Booking Cancelled/ });
    expect(plain(await row.innerText())).toMatch(/Booking Cancelled .* Conny Firmed Intro Call .*Delivered answered 200 in \d+ ms/);
    await row.getByRole('link', { name: 'Booking Cancelled' }).click();
    const [first] = listener.received;
    for (const name of ['Signature', 'Delivery-ID'])
      expect(await page.locator('main').innerText()).toContain(deliveryHeader(first ?? { headers: {}, body: '' }, name));
    expect(JSON.parse(await page.locator('pre').innerText())).toEqual(JSON.parse(first?.body ?? ''));
    await press(page, /^Send again/);
    expect(await told(page)).toBe('Booking Cancelled was sent again with the same ID and body.');
    expect(await listener.heard()).toEqual(['BOOKING_CANCELLED', 'BOOKING_CANCELLED']);
    expect(listener.received[1]).toEqual(listener.received[0]);
  });

  it('shows what was given up, with the reason, and sends it again; pauses a subscription and resumes it', async () => {
    const booking = await confirmed();
    listener.answers.push(...Array<number>(6).fill(503));
    sandbox.host.cancel(booking.id);
    await sandbox.forward(3_600_000);
    const page = await visit('/host/deliveries');
    await page.getByRole('link', { name: /^Failed/ }).click();
    const rows = page.locator('#deliveries-rows tr');
    const text = async () => (await rows.allInnerTexts()).map(plain);
    expect(await text()).toEqual([expect.stringMatching(/Booking Cancelled.*Failed after 6 tries.*answered 503 in \d+ ms, try 6/)]);

    await page.getByRole('link', { name: 'Subscriptions' }).click();
    await press(page, /^Pause the subscription/);
    expect(await told(page)).toContain('is paused');
    await page.goto(`${sandbox.origin}/host/deliveries?show=given-up`);
    expect(await page.getByRole('button', { name: /^Send again/ }).count()).toBe(0);
    await page.getByRole('link', { name: 'paused' }).click();
    await press(page, /^Resume the subscription/);
    expect(await told(page)).toContain('is active again');

    await page.goto(`${sandbox.origin}/host/deliveries?show=given-up`);
    await press(page, /^Send again/);
    await sandbox.settled();
    expect(sandbox.deliveries().map(({ status }) => status)).toEqual(expect.not.arrayContaining(['failed']));
    await page.goto(`${sandbox.origin}/host/deliveries?show=given-up`);
    expect(await text()).toEqual(['No failed deliveries.']);
  });

  it('says in words which scopes an application has, and revokes it', async () => {
    const token = sandbox.issueToken({ scopes: ['contacts:read'] }).access_token;
    const other = sandbox.issueToken().access_token;
    const page = await visit('/host/applications');
    const row = page.getByRole('row', { name: /See and search your contacts/ }).filter({ hasNotText: 'See your bookings' });
    await row.getByRole('button').click();
    expect(await told(page)).toMatch(/ is disconnected\. Its tokens no longer work\.$/);
    expect(await row.innerText()).toContain('Revoked');
    expect([(await caller(sandbox, token)('GET', '/me')).status, (await caller(sandbox, other)('GET', '/me')).status]).toEqual([401, 200]);
  });

  it('counts the subscriptions of each host, adds one and removes one', async () => {
    sandbox.addAccount({ name: 'Sam Second', email: 'sam@host.example' });
    const page = await visit('/host/subscriptions');
    const of = (name: string) => page.locator('section').filter({ has: page.getByRole('heading', { name }) });
    // The meter before it may count as a space.
    const taken = async (name: string) => (await of(name).locator('.taken').innerText()).trim();
    expect([await taken('Morgan Host'), await taken('Sam Second')]).toEqual(['1 of 25 used', '0 of 25 used']);
    await open(page, 'Add an unsigned subscription');
    await page.getByLabel('Address').fill('https://elsewhere.example/hook');
    await page.getByLabel('Booking Created').check();
    await press(page, 'Add');
    expect(await page.locator('.error').innerText()).toContain('Address the sandbox delivers to this machine only');
    await page.getByLabel('Address').fill('http://127.0.0.1:9/by-hand?key=hidden');
    await press(page, 'Add');
    expect(await taken('Morgan Host')).toBe('2 of 25 used');
    // Receivers on one host are told apart by their paths.
    expect(await of('Morgan Host').innerText()).toContain('/by-hand?…');
    await press(page, 'Remove the subscription of 127.0.0.1:9');
    expect(sandbox.subscriptions().map(({ url }) => url)).toEqual([listener.url]);
  });

  it('shows upcoming bookings with the next one first, past ones with the last one first, page by page', async () => {
    const page = await visit('/host');
    const walk = async (): Promise<string[]> => {
      const starts: string[] = [];
      for (;;) {
        starts.push(...[...(await page.locator('#bookings-rows').innerHTML()).matchAll(/datetime="([^"]+)"/g)].map(([, at = '']) => at));
        const next = page.getByRole('link', { name: 'Next', exact: true });
        if ((await next.count()) === 0) return starts;
        await next.click();
      }
    };
    const now = new Date(sandbox.clock.now()).toISOString();
    const living = sandbox.bookings().filter(({ status }) => status !== 'CANCELLED');
    const startsOf = (bookings: Booking[]) => bookings.map(({ start_time }) => start_time).sort();
    expect(await walk()).toEqual(startsOf(living.filter(({ end_time, status }) => end_time >= now && status === 'CONFIRMED')));
    await page.getByRole('link', { name: /^Past/ }).click();
    expect(await walk()).toEqual(startsOf(living.filter(({ end_time }) => end_time < now)).reverse());
    await page.getByRole('link', { name: 'Previous' }).click();
    expect(await page.getByText(/^Page 2 of \d+$/).count()).toBe(1);
  });
});
