import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { Result } from 'axe-core';
import type { Page } from 'playwright-core';
import type { Sandbox } from '../../sandbox/service.ts';
import { authorizeUrl, usual } from './authorize.ts';
import { PHONE, withBrowser, type Scene } from './chromium.ts';
import { typeNamed, type Listener } from './support.ts';

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

let sandbox: Sandbox;
let listener: Listener;
let visit: Scene['visit'];
withBrowser((scene) => ({ sandbox, listener, visit } = scene));

/**
 * Everything that a page can show of deliveries: given up, belonging to a paused subscription, delivered, waiting for the next attempt, and
 * dropped with its subscription.
 */
async function deliverInEveryWay(): Promise<void> {
  for (const path of ['paused', 'failing']) {
    sandbox.host.addSecretlessSubscription({ url: `http://127.0.0.1:9/${path}`, events: ['BOOKING_CREATED'] });
  }
  sandbox.host.book();
  await sandbox.forward(3_600_000);
  sandbox.host.setActive(sandbox.subscriptions().find(({ url }) => url.endsWith('/paused'))?.id ?? '', false);
  sandbox.host.book();
  await sandbox.settled();
  listener.answers.push(500);
  sandbox.host.cancel(sandbox.host.book({ invitee_email: sandbox.contacts()[0]?.email }).id);
  sandbox.host.addSecretlessSubscription({ url: 'http://127.0.0.1:9/closed', events: ['CONTACT_UPDATED'] });
  sandbox.host.editContact(sandbox.contacts()[0]?.id ?? '', { phone: '1' });
  await sandbox.settled();
  sandbox.host.deleteSubscription(sandbox.subscriptions().at(-1)?.id ?? '');
  sandbox.addAccount({ name: 'Sam Second' });
}

const openAll = async (page: Page): Promise<void> => {
  const closed = page.locator('details:not([open]) > summary');
  while ((await closed.count()) > 0) await closed.first().click();
};
const submitEmpty = async (page: Page, button: string): Promise<void> => {
  await openAll(page);
  await page.getByRole('button', { name: button }).click();
};

const consentPath = (of: Sandbox): string => {
  const { pathname, search } = new URL(
    authorizeUrl(of, usual(of, { scope: 'bookings:read bookings:write event_types:read contacts:read webhooks:manage' })),
  );
  return `${pathname}${search}`;
};

/** Each page, and what is done there first. */
const PAGES: [string, () => string, ((page: Page) => Promise<void>)?][] = [
  ['the upcoming bookings', () => '/host'],
  ['a confirmed booking', () => `/host/bookings/${sandbox.host.book().id}`, openAll],
  ['a request that waits', () => `/host/bookings/${sandbox.bookings().find(({ status }) => status === 'PENDING')?.id}`, openAll],
  [
    'a refused move',
    () => `/host/bookings/${sandbox.host.book().id}`,
    async (page) => {
      await openAll(page);
      await page.getByLabel('New start').fill('2020-01-01T10:00');
      await page.getByRole('button', { name: 'Reschedule booking' }).click();
    },
  ],
  ['the event types', () => '/host/types', openAll],
  [
    'the form of an invitee with errors',
    () => `/host/types/${typeNamed(sandbox, 'Project Kick-off')}/book`,
    (page) => submitEmpty(page, 'Book'),
  ],
  ['the contacts', () => '/host/contacts'],
  ['a contact', () => `/host/contacts/${sandbox.contacts()[0]?.id}`],
  ['the subscriptions', () => '/host/subscriptions', (page) => submitEmpty(page, 'Add')],
  ['the deliveries', () => '/host/deliveries', openAll],
  ['a delivery that was given up', () => `/host/deliveries/${sandbox.deliveries().find(({ status }) => status === 'failed')?.id}`],
  ['the applications', () => '/host/applications'],
  ['the cancelled bookings', () => '/host?show=cancelled'],
  ['what is not there', () => '/host/nothing'],
  ['the consent page', () => consentPath(sandbox)],
  ['a connection that cannot be made', () => '/oauth/authorize?client_id=nobody'],
];

/**
 * What axe finds. It must have checked the colours, because a run that checks nothing finds nothing. The rest of its report stays in the
 * page: it lists every element, and would take more processor time to bring here than to make.
 */
async function findings(page: Page): Promise<unknown[]> {
  const run = `axe.run({ resultTypes: ['violations'] })`;
  const { violations, passed } = await page.evaluate<{ violations: Result[]; passed: string[] }>(
    `${run}.then(({ violations, passes }) => ({ violations, passed: passes.map(({ id }) => id) }))`,
  );
  expect(passed).toContain('color-contrast');
  return violations.map(({ id, nodes }) => [id, nodes[0]?.html, nodes[0]?.failureSummary]);
}

describe('on every page, in light on a desktop and in dark on a phone', () => {
  it.each(PAGES.map(([what, path, first = async () => undefined]) => [what, path, first] as const))(
    'axe finds nothing, nothing is wider than the screen, and the browser complains of nothing: %s',
    async (_which, path, first) => {
      await deliverInEveryWay();
      const complaints: string[] = [];
      const page = await visit(path(), { complaints });
      await first(page);
      await page.evaluate(axe);
      await page.emulateMedia({ colorScheme: 'light' });
      expect(await findings(page)).toEqual([]);
      await page.setViewportSize({ width: PHONE, height: 812 });
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await findings(page)).toEqual([]);
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(PHONE);
      expect(complaints).toEqual([]);
    },
  );

  it('the first thing the keyboard reaches is a link past the navigation', async () => {
    const page = await visit('/host');
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').innerText()).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    expect(await page.locator(':focus').getAttribute('id')).toBe('content');
  });
});

describe('with JavaScript the delivery log is live', () => {
  it('shows a delivery and its next attempts without a reload', async () => {
    const page = await visit('/host/deliveries');
    await page.evaluate('window.loadedOnce = true');
    listener.answers.push(500);
    sandbox.host.editContact(sandbox.contacts()[0]?.id ?? '', { phone: '1' });
    const row = page.getByRole('row', { name: /Contact Updated/ });
    await row.getByText('Waiting').or(row.getByText('Delivered')).waitFor();
    await row.getByText('Delivered').waitFor();
    expect((await row.innerText()).replaceAll(/\s+/g, ' ')).toMatch(/answered 200 in \d+ ms, try 2/);
    expect(await page.getByRole('status').innerText()).toBe('1 new');
    expect(await page.evaluate('window.loadedOnce')).toBe(true);
  });

  it('leaves a row alone while somebody uses it, pauses when it is told to, and says when the sandbox is gone', async () => {
    sandbox.host.editContact(sandbox.contacts()[0]?.id ?? '', { phone: '1' });
    await sandbox.settled();
    const page = await visit('/host/deliveries');
    const rows = page.locator('#deliveries-rows tr');
    await page.getByRole('link', { name: 'Contact Updated' }).focus();
    sandbox.host.book();
    await page.getByRole('link', { name: 'Booking Created' }).waitFor();
    expect(await page.locator(':focus').innerText()).toBe('Contact Updated');

    await page.getByLabel('Live').uncheck();
    const before = await rows.count();
    sandbox.forgetRequests();
    sandbox.host.book();
    await page.waitForTimeout(2500);
    expect([sandbox.requests(), await rows.count()]).toEqual([[], before]);
    await page.getByLabel('Live').check();
    await rows.nth(before).waitFor();
    await sandbox.stop();
    await page.getByRole('status').getByText('The sandbox does not answer. Trying again.').waitFor();
  });

  it('without it, a link brings the page up to date', async () => {
    const page = await visit('/host/deliveries', { javaScript: false });
    expect(await page.getByLabel('Live').count()).toBe(0);
    sandbox.host.editContact(sandbox.contacts()[0]?.id ?? '', { phone: '1' });
    await page.getByRole('link', { name: 'Refresh' }).click();
    expect(await page.getByRole('row', { name: /Contact Updated/ }).count()).toBe(1);
  });
});
