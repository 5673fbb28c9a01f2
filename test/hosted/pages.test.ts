import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { brand } from '../../shared/brand.ts';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { launchChromium, openContext } from '../support/browser.ts';
import { startHosted, type Hosted } from '../../tools/rigs/mcp/hosted.ts';
import { axeFindings } from '../support/axe.ts';
import { openedForFile } from '../support/hosted.ts';
import { authorizePath, codeForm, registered, tokenFrom } from '../support/byHand.ts';

// A person in a real browser, which has its own rules for cookies, forms and what a page may be shown in. PICTURES=folder keeps what it shows.
const opened = openedForFile();
let sandbox: Sandbox;
let hosted: Hosted;
let browser: Browser;
/** The port of the assistants. */
let elsewhere: number;

beforeAll(async () => {
  sandbox = await opened.start('the sandbox', () => startSandbox({ limits: false }));
  hosted = await startHosted({ sandbox, folder: await opened.temporaryFolder('hosted-') }, opened);
  browser = await opened.start('the browser', launchChromium, (started) => started.close());
  const others = createServer((_, answer) => answer.setHeader('content-type', 'text/html').end('The assistant'));
  await once(others.listen(0, '127.0.0.1'), 'listening');
  opened.add('the assistants', async () => others.closeAllConnections() ?? others.close());
  elsewhere = (others.address() as AddressInfo).port;
});
afterEach(async () => {
  for (const context of browser.contexts()) await context.close();
});

/** @returns also everything that the browser complains about */
async function newPerson(): Promise<{ page: Page; complaints: string[] }> {
  const context = await openContext(browser, { viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', ({ message }) => complaints.push(message));
  return { page, complaints };
}

const answersOf = (name: string): string => `http://${name.toLowerCase()}.localhost:${elsewhere}/callback`;

/** The address to which an assistant sends a person. */
async function asks(name: string, { redirectUri = answersOf(name), scope = '' } = {}): Promise<string> {
  const id = await registered(hosted.origin, { client_name: name, redirect_uris: [redirectUri] });
  return hosted.origin + authorizePath(id, redirectUri, scope === '' ? {} : { scope });
}

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();
const textIn = (page: Page) => page.locator('main').innerText();
const heading = (page: Page) => page.getByRole('heading', { level: 1 }).innerText();

/** Agrees at the service. */
async function allow(page: Page, account: string): Promise<void> {
  await page.getByRole('radio', { name: account }).check();
  await press(page, 'Allow');
}

/** Connects an assistant, which then fetches its first token. */
async function connect(page: Page, name: string, account: string): Promise<void> {
  const asked = new URL(await asks(name));
  await page.goto(asked.href);
  await press(page, /^Continue/);
  await allow(page, account);
  await page.waitForURL(`${answersOf(name)}?*`);
  const form = codeForm(asked.searchParams.get('client_id') ?? '', answersOf(name), page.url());
  expect((await tokenFrom(hosted.origin, form)).status).toBe(200);
}

/** Signs in to the page of connected assistants. */
async function signIn(page: Page, account: string): Promise<void> {
  await page.goto(`${hosted.origin}/connections`);
  await press(page, /^Sign in/);
  await allow(page, account);
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
}

const listed = (page: Page) => page.locator('main li').getByRole('heading').allInnerTexts();

describe('a person who connects an assistant', () => {
  it('reads who asks, where the answer goes and what it may do, goes on to the service, and comes back to the assistant', async () => {
    sandbox.addAccount({ name: 'Ada Connects' });
    const { page, complaints } = await newPerson();
    await page.goto(await asks('Chat', { scope: 'bookings:read bookings:write' }));
    expect(await heading(page)).toBe('Connect an assistant');
    const text = await textIn(page);
    for (const words of ['Chat', 'chat.localhost', 'see bookings', 'create and cancel bookings', `${hosted.origin}/connections`])
      expect(text.toLowerCase()).toContain(words.toLowerCase());
    expect(text.toLowerCase()).not.toContain('contacts');
    await press(page, `Continue to ${brand.name}`);
    expect(page.url()).toContain(`${sandbox.origin}/oauth/authorize`);
    await allow(page, 'Ada Connects');
    await page.waitForURL(`${answersOf('chat')}?code=*`);
    expect(complaints).toEqual([]);
    // Nothing is answered twice.
    await page.goto(await asks('Chat'));
    await press(page, /^Continue/);
    await allow(page, 'Ada Connects');
    await page.waitForURL(`${answersOf('chat')}?code=*`);
    await page.goBack();
    await page.goBack();
    expect(await heading(page)).toBe('This page has expired');
  });

  it('can cancel, and can come back from the page of the service and go on again', async () => {
    const { page, complaints } = await newPerson();
    await page.goto(await asks('Unsure'));
    await press(page, /^Continue/);
    await page.goBack();
    await press(page, /^Continue/);
    await page.goBack();
    await press(page, 'Cancel');
    await page.waitForURL(`${answersOf('unsure')}?error=access_denied*`);
    expect(complaints).toEqual([]);
  });

  it('may refuse at the service, which the assistant is told', async () => {
    const { page } = await newPerson();
    await page.goto(await asks('Refused'));
    await press(page, /^Continue/);
    await press(page, 'Deny');
    await page.waitForURL(`${answersOf('refused')}?error=access_denied*`);
  });
});

describe('an app on the device', () => {
  const app = 'some-editor://extension/callback';
  /** What the browser was asked to open. */
  const linked = (page: Page) => page.locator('main a').first().getAttribute('href');

  it('gets its answer by a link on a last page, after Allow and after Cancel, and after loading again', async () => {
    const { page } = await newPerson();
    sandbox.addAccount({ name: 'Nan Edits' });
    await page.goto(await asks('Editor', { redirectUri: app }));
    expect(await textIn(page)).toContain(app);
    await press(page, /^Continue/);
    await allow(page, 'Nan Edits');
    await page.getByRole('heading', { name: 'One more step' }).waitFor();
    const given = (await linked(page)) ?? '';
    expect(given.startsWith(`${app}?code=`)).toBe(true);
    await page.reload();
    expect(await linked(page)).toBe(given);
    expect(await axeFindings(page)).toEqual([]);

    await page.goto(await asks('Editor', { redirectUri: app }));
    await press(page, 'Cancel');
    await page.getByRole('link', { name: 'Go back to the app' }).waitFor();
    expect(await linked(page)).toContain(`${app}?error=access_denied`);
  });
});

describe('the page of connected assistants', () => {
  it('shows each with its last use and disconnects one of them; going back and loading again do no harm', async () => {
    const { email } = sandbox.addAccount({ name: 'Grace Looks' });
    const { page, complaints } = await newPerson();
    for (const name of ['First', 'Second']) await connect(page, name, 'Grace Looks');
    await signIn(page, 'Grace Looks');
    expect(page.url()).toBe(`${hosted.origin}/connections`);
    expect((await listed(page)).sort()).toEqual(['First', 'Second']);
    const text = await textIn(page);
    for (const words of [email, 'Connected from first.localhost', 'Last used just now', 'see bookings']) expect(text).toContain(words);

    await press(page, 'Disconnect First');
    expect(await page.getByRole('status').innerText()).toBe('First is disconnected.');
    expect(await listed(page)).toEqual(['Second']);
    await page.reload();
    expect(await listed(page)).toEqual(['Second']);
    await page.goBack();
    expect(await listed(page)).not.toContain('First');
    // As an address from the browser's history.
    await page.goto(`${hosted.origin}/connections/disconnect`);
    expect(await listed(page)).toEqual(['Second']);

    await press(page, 'Sign out');
    await page.getByRole('button', { name: /^Sign in/ }).waitFor();
    await page.goBack();
    expect(await page.content()).not.toContain('Second');
    expect(complaints).toEqual([]);
  });

  it('shows nobody the assistants of another account', async () => {
    for (const name of ['Hal Other', 'Ida Other']) sandbox.addAccount({ name });
    const { page } = await newPerson();
    await connect(page, 'Hals', 'Hal Other');
    await signIn(page, 'Ida Other');
    expect(await textIn(page)).toContain('No assistant is connected');
  });
});

/** Each page, and how a person comes to it. */
const pages: [what: string, open: (page: Page) => Promise<unknown>][] = [
  ['start', (page) => page.goto(hosted.origin)],
  [
    'connect',
    async (page) =>
      page.goto(
        await asks('An Assistant With a Very Long Name '.repeat(3), { redirectUri: `https://${'long-'.repeat(11)}name.example/callback` }),
      ),
  ],
  ['sign-in', (page) => page.goto(`${hosted.origin}/connections`)],
  [
    'connections',
    async (page) => {
      sandbox.addAccount({ name: 'Joan Reads' });
      for (const name of ['Chat', 'Editor', 'Automation']) await connect(page, name, 'Joan Reads');
      await signIn(page, 'Joan Reads');
      await press(page, 'Disconnect Automation');
    },
  ],
  [
    'no-connections',
    async (page) => {
      sandbox.addAccount({ name: 'Kay Begins' });
      await signIn(page, 'Kay Begins');
    },
  ],
  ['expired', (page) => page.goto(`${hosted.origin}/interaction/unknown`)],
  ['unknown-assistant', (page) => page.goto(`${hosted.origin}/auth?client_id=unknown`)],
  ['wrong-request', async (page) => page.goto((await asks('Wrong')).replace('response_type=code', 'response_type=token'))],
  ['nothing', (page) => page.goto(`${hosted.origin}/nothing`)],
];

describe('each page', () => {
  it.each(pages)(
    '%s: axe finds nothing, and nothing is wider than the screen, in light and in dark, on a desktop and a phone',
    async (name, open) => {
      const { page } = await newPerson();
      await open(page);
      for (const width of [1280, 390])
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.setViewportSize({ width, height: 844 });
          await page.emulateMedia({ colorScheme });
          expect({ width, colorScheme, found: await axeFindings(page) }).toEqual({ width, colorScheme, found: [] });
          expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
          const folder = process.env['PICTURES'];
          if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png` });
        }
    },
  );
});
