import { chmod, cp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { sign } from '../../shared/webhooks/nodeCrypto.ts';
import { builtPackage } from '../../tools/build/products.ts';
import { mustRun, runCommand } from '../../tools/process/command.ts';
import { freePort } from '../../tools/process/freePort.ts';
import { Program } from '../../tools/process/program.ts';
import { startWorker } from '../support/worker.ts';
import { Browser, type ShownPage } from '../../tools/rigs/zapier/browser.ts';
import { brand } from '../../shared/brand.ts';
import { root } from '../../tools/root.cjs';
import { deliver, raw, statusIn } from '../sdk/deliveries.ts';
import { Installed } from '../sdk/installed.ts';
import { until } from '../support/until.ts';
import { delivered } from '../support/wire.ts';

const example = join(root, 'examples', 'custom-app');

let sandbox: Sandbox;
/** A folder with the example in it, and what it depends on: the package from its tarball, and Hono's two packages. */
let installed: Installed;
/** The browser of the person who runs the application. */
const browser = new Browser();

beforeAll(async () => {
  sandbox = await startSandbox({ limits: false });
  installed = await Installed.open();
  for (const name of ['hono', '@hono/node-server']) await installed.with(name);
  await cp(example, installed.folder, { recursive: true });
});
afterAll(async () => {
  await installed.close();
  await sandbox.stop();
});

/** The example on Node.js, run by somebody who has copied it. */
class Application {
  /** Its own pages, and its public addresses. */
  readonly own: string;
  readonly open: string;
  readonly file: string;
  readonly #run: (more: Record<string, string>) => Program;
  #program: Program | undefined;
  #before = '';

  private constructor(ports: readonly [number, number], file: string, run: (more: Record<string, string>) => Program) {
    [this.own, this.open] = [`http://127.0.0.1:${ports[0]}`, `http://127.0.0.1:${ports[1]}`];
    this.file = file;
    this.#run = run;
  }

  /** @param isPublic whether it is told its public address, which it takes for granted unless it polls */
  static async start(
    cwd: string,
    { data = '.local/custom-app.sqlite', env = {}, args = [] as string[], isPublic = false } = {},
  ): Promise<Application> {
    const { id, secret } = sandbox.client;
    const ports = [await freePort(), await freePort()] as const;
    const [PORT, PUBLIC_PORT] = ports.map(String);
    const address = isPublic ? { PUBLIC_URL: `http://127.0.0.1:${PUBLIC_PORT}` } : {};
    const given = { PORT, PUBLIC_PORT, BASE_URL: sandbox.baseUrl, CLIENT_ID: id, CLIENT_SECRET: secret, DATA: data, ...address, ...env };
    const run = (more: Record<string, string>) =>
      new Program(process.execPath, ['main.ts', ...args], { cwd, env: { ...process.env, NODE_OPTIONS: '', ...given, ...more } });
    const application = new Application(ports, join(cwd, data), run);
    sandbox.allowRedirect(`${application.open}/callback`);
    await application.restart();
    return application;
  }

  get printed(): string {
    return this.#before + (this.#program?.printed ?? '');
  }

  /** Ends it the way a crash does, and starts it again. @param more added to its environment this time */
  async restart(more: Record<string, string> = {}): Promise<void> {
    await this.stop('SIGKILL');
    this.#before = this.printed;
    const program = this.#run(more);
    this.#program = program;
    await until(() => program.said().includes('to connect an account'));
  }

  async stop(signal?: NodeJS.Signals): Promise<void> {
    await this.#program?.stop(signal);
  }

  async connect(): Promise<ShownPage> {
    return browser.press(await browser.press(await browser.open(`${this.own}/`), /connect an account/i), /allow/i);
  }
}

const typeNamed = (wanted: string): string => sandbox.eventTypes().find(({ name }) => name === wanted)?.id ?? '';
const wanted = (start: string) => ({
  event_type_id: typeNamed('Coffee Chat'),
  start_time: start,
  invitee_name: 'Ada <b>Lovelace</b>',
  invitee_email: 'ada@example.com',
});
/** Deletes the only subscription at the service, behind the application's back. */
const unsubscribe = (): void => {
  for (const { id } of sandbox.subscriptions()) sandbox.host.deleteSubscription(id);
};

describe('on Node.js, with a public address', () => {
  let app: Application;
  // A file of settings may name what it does not set.
  const env = { PUBLIC_URL: '', TIME_ZONE: '', POLL_SECONDS: '', PASSWORD: '' };
  beforeAll(async () => void (app = await Application.start(installed.folder, { env })));
  afterAll(() => app.stop());

  /** Chooses an event type and sends its form. */
  const book = async (start: string, fields: Record<string, string> = {}, what = 'Coffee Chat'): Promise<ShownPage> => {
    const { event_type_id: _, ...entered } = wanted(start);
    const form = await browser.open(`${app.own}/book?event_type_id=${typeNamed(what)}`);
    return browser.press(form, /book/i, { fields: { ...entered, ...fields } });
  };
  const kept = (name: string): Record<string, string> => {
    const database = new DatabaseSync(app.file, { readOnly: true });
    const row = database.prepare('SELECT value FROM scheduling_kept WHERE name = ?').get(name);
    database.close();
    return JSON.parse(String(row?.['value'] ?? '{}')) as Record<string, string>;
  };
  const expectPrivate = async (): Promise<void> => {
    for (const file of [app.file, `${app.file}-wal`, `${app.file}-shm`]) expect((await stat(file)).mode & 0o077).toBe(0);
  };

  it('says on each page that no account is connected yet, and never that one has expired', async () => {
    for (const page of ['/', '/bookings', '/book']) {
      const { html } = await browser.open(`${app.own}${page}`);
      expect(html).toMatch(/No account (of .+ )?is connected/);
      expect(html).not.toMatch(/expired|revoked/);
    }
  });

  it('connects an account through the consent page, and keeps what must outlive it in files that only its owner can read', async () => {
    // The address bar keeps no code, and the page can be loaded again.
    const connected = { status: 200, html: expect.stringContaining('The account is connected') as unknown, url: `${app.own}/connected` };
    expect(await app.connect()).toMatchObject(connected);
    expect(await browser.open(connected.url)).toMatchObject(connected);
    expect(app.printed).toContain(`connected; events come to ${app.open}/deliveries`);
    expect(sandbox.subscriptions()).toMatchObject([{ url: `${app.open}/deliveries`, signed: true }]);
    await expectPrivate();
  });

  it("books at the host's time, receives a delivery about it, verifies it, and shows names as plain text", async () => {
    const page = await book('2040-01-31T09:00');
    const booked = sandbox.bookings().find(({ invitee_name }) => invitee_name === 'Ada <b>Lovelace</b>');
    expect([page.status, page.html, booked?.start_time]).toEqual([
      201,
      expect.stringMatching(/January 2040, 09:00 \(Europe\/Madrid, UTC\+1\)/),
      '2040-01-31T08:00:00.000Z',
    ]);
    await until(() => app.printed.includes(`BOOKING_CREATED ${booked?.id} verified`));
    const list = (await browser.open(`${app.own}/bookings`)).html;
    expect(list).toContain('Ada &lt;b&gt;Lovelace&lt;/b&gt;');
    expect(list).not.toContain('<b>');
    expect((await browser.open(`${app.own}/`)).html).toMatch(/Booking created<[^]*Ada &lt;b&gt;Lovelace&lt;/);
  });

  it('says in a sentence what is wrong with a booking, above the form with what was entered', async () => {
    const refused = await book('2040-02-01T09:00', { invitee_email: 'ada' });
    expect(refused).toMatchObject({ status: 400, html: expect.stringContaining('is not an email address') as unknown });
    expect((await browser.press(refused, /book/i, { fields: { invitee_email: 'ada@example.com' } })).status).toBe(201);
  });

  it('offers what can be booked, and every one of them can be, with its questions', async () => {
    const usual: Record<string, string> = {
      boolean: 'true',
      number: '3',
      email: 'a@example.com',
      phone: '+34600000000',
      date: '2041-01-01',
    };
    const { html } = await browser.open(`${app.own}/book`);
    const active = sandbox.eventTypes().filter(({ active }) => active);
    expect([...html.matchAll(/event_type_id=([^"]+)"/g)].map(([, id]) => id).sort()).toEqual(active.map(({ id }) => id).sort());
    for (const [day, { id, name, questions }] of active.entries()) {
      const answers = questions
        .filter(({ required }) => required)
        .map(({ key, type, options }): [string, string] => [`answer.${key}`, options[0] ?? usual[type] ?? 'Yes']);
      const page = await book(`2041-03-${String(day + 10)}T10:00`, Object.fromEntries(answers), name);
      expect([name, page.status]).toEqual([name, 201]);
      const booked = sandbox.bookings().find((each) => each.event_type_id === id && each.start_time.startsWith('2041'));
      expect(Object.keys(booked?.question_responses ?? {})).toEqual(answers.map(([key]) => key.replace('answer.', '')));
    }
  });

  it('loses nothing when it is killed: it is still connected and subscribed, and recognises an earlier delivery', async () => {
    const { signing_secret: secret = '' } = kept('subscription subscription');
    const body = JSON.stringify(delivered('CONTACT_UPDATED', { id: 'con_once' }));
    const sent = { body, signature: sign(body, secret), event: 'CONTACT_UPDATED' };
    expect((await deliver(`${app.open}/deliveries`, { ...sent, body: body.replace('once', 'changed') })).status).toBe(401);
    expect((await deliver(`${app.open}/deliveries`, sent)).text).toBe('Thank you.');
    const before = sandbox.subscriptions().map(({ id }) => id);
    await chmod(app.file, 0o644);
    await app.restart();
    await expectPrivate();
    expect((await deliver(`${app.open}/deliveries`, sent)).text).toBe('This delivery was received before.');
    expect(app.printed.match(/con_once verified/g)).toHaveLength(1);
    expect((await browser.open(`${app.own}/bookings`)).status).toBe(200);
    // Its counts are the service's own: a delivery that came while it was down came again.
    expect(sandbox.subscriptions().map(({ id }) => id)).toEqual(before);
  });

  it('subscribes again if somebody deletes its subscription', async () => {
    await app.restart({ CHECK_SECONDS: '1' });
    unsubscribe();
    await until(() => sandbox.subscriptions().length === 1 && kept('subscription subscription')['id'] === sandbox.subscriptions()[0]?.id);
    await app.restart();
  });

  it('a second account does not take the place of the first', async () => {
    const before = kept('tokens tokens');
    const { status } = await browser.open(`${app.own}/connect`, { form: new URLSearchParams(), from: `${app.own}/` });
    expect([status, kept('tokens tokens')]).toEqual([409, before]);
  });

  describe('whatever comes in', () => {
    const get = (at: string, path: string, more = ''): Promise<string> =>
      raw(at, `GET ${path} HTTP/1.1\r\nHost: ${new URL(at).host}\r\n${more}Connection: close\r\n\r\n`, { isOpen: true });

    it('its own pages are not public, nor read by a name that was made to lead to this machine', async () => {
      for (const path of ['/', '/bookings', '/book', '/connect', '/connected', '/disconnect'])
        for (const method of ['GET', 'POST']) expect((await fetch(app.open + path, { method, redirect: 'manual' })).status).toBe(404);
      const answer = await raw(app.own, 'GET /bookings HTTP/1.1\r\nHost: rebound.example\r\nConnection: close\r\n\r\n');
      expect(statusIn(answer)).toBe(403);
      expect(answer).not.toContain('Ada');
    });

    it.each(['/book', '/connect', '/disconnect'])('another site does nothing at %s', async (path) => {
      const before = sandbox.bookings().length;
      for (const origin of ['https://foreign.example', 'null', app.open]) {
        const response = await fetch(app.own + path, {
          method: 'POST',
          redirect: 'manual',
          headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams(wanted('2040-03-01T09:00')).toString(),
        });
        expect([response.status, response.headers.get('set-cookie')]).toEqual([403, null]);
      }
      // Nor does a picture, a frame or a link there, which sends no origin.
      for (const site of ['cross-site', 'same-site']) expect(statusIn(await get(app.own, path, `Sec-Fetch-Site: ${site}\r\n`))).toBe(403);
      expect(sandbox.bookings()).toHaveLength(before);
      expect(sandbox.subscriptions()).toHaveLength(1);
    });

    it('a form that is far too long, or a body that is not a form, is refused, and no page can be framed', async () => {
      const long = await fetch(`${app.own}/book`, { method: 'POST', body: new URLSearchParams({ invitee_name: 'a'.repeat(100_000) }) });
      expect(long.status).toBe(413);
      const text = await fetch(`${app.own}/book`, { method: 'POST', body: '{}', headers: { 'content-type': 'text/plain' } });
      expect(text.status).toBe(400);
      expect(await get(app.own, '/')).toMatch(/frame-ancestors 'none'/);
    });
  });

  it('disconnecting deletes the subscription and revokes the tokens at the service, and nothing secret was printed', async () => {
    const { access_token } = kept('tokens tokens');
    const page = await browser.open(`${app.own}/disconnect`, { form: new URLSearchParams(), from: `${app.own}/` });
    expect(page).toMatchObject({ status: 200, html: expect.stringContaining('Disconnected') as unknown });
    expect(sandbox.subscriptions()).toEqual([]);
    expect((await fetch(`${sandbox.baseUrl}/me`, { headers: { authorization: `Bearer ${access_token}` } })).status).toBe(401);
    expect([kept('tokens tokens'), kept('subscription subscription')]).toEqual([{}, {}]);
    expect(app.printed).not.toMatch(/whsec|Bearer|Lovelace|@example\.com/);
  });
});

describe('polling', () => {
  let app: Application;
  afterEach(() => app.stop());

  let days = 0;
  const book = (): string => {
    days += 1;
    const start = new Date(Date.UTC(2042, 0, 5, 9) + 86_400_000 * days).toISOString();
    return sandbox.host.book({ event_type_id: typeNamed('Coffee Chat'), start_time: start, invitee_email: `guest-${days}@example.com` }).id;
  };
  const polls = (): number => sandbox.requests().filter(({ method, path }) => method === 'GET' && path.endsWith('/v1/contacts')).length;
  /** Waits until everything that happened before has been polled: for the poll that was already running, and one more. */
  const afterPoll = async (): Promise<void> => {
    const before = polls();
    await until(() => polls() >= before + 3);
  };
  const lines = (id: string): string[] => app.printed.split('\n').filter((line) => line.includes(`${id} `));
  const start = async (data: string, isPublic: boolean): Promise<void> => {
    app = await Application.start(installed.folder, { data, env: { POLL_SECONDS: '0.2' }, args: ['--poll'], isPublic });
    expect((await app.connect()).html).toContain('The account is connected');
  };

  it('without a public address an event is found, and the service is not asked to deliver', async () => {
    const earlier = book();
    await start('.local/polls.sqlite', false);
    await afterPoll();
    const id = book();
    await until(() => app.printed.includes(`BOOKING_CREATED ${id} found`));
    sandbox.host.cancel(id, {});
    await until(() => app.printed.includes(`BOOKING_CANCELLED ${id} found`));
    expect(lines(id)).toEqual([`BOOKING_CREATED ${id} found`, `BOOKING_CANCELLED ${id} found`]);
    expect(lines(earlier)).toEqual([]);
    expect(sandbox.subscriptions()).toEqual([]);
  });

  it('with a public address, each change comes once, and changes without a delivery are found', async () => {
    await start('.local/both.sqlite', true);
    await afterPoll();
    // The next poll sees them only after they were delivered.
    sandbox.faults.add({ route: 'GET /v1/bookings', kind: 'delay', delayMs: 25_000 });
    await until(() => sandbox.faults.waiting().length === 0);
    const ids = Array.from({ length: 10 }, book);
    await until(() => ids.every((id) => app.printed.includes(`BOOKING_CREATED ${id} verified`)));
    await sandbox.clock.advance(25_000);
    await afterPoll();
    unsubscribe();
    const missed = book();
    await until(() => app.printed.includes(`BOOKING_CREATED ${missed} found`));
    for (const id of ids) expect(lines(id)).toEqual([`BOOKING_CREATED ${id} verified`]);
  });
});

describe('as a worker', () => {
  const durable = { className: 'Site', binding: 'APPLICATION' };
  const password = 'a long enough one';
  const clientOf = ({ client: { id, secret } }: Sandbox) => ({ CLIENT_ID: id, CLIENT_SECRET: secret });

  it('connects, books and acts on the delivery, in the durable object and its database, and shows nothing without the password', async () => {
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    sandbox.allowRedirect(`${origin}/callback`);
    const env = { ...clientOf(sandbox), BASE_URL: sandbox.baseUrl, PUBLIC_URL: origin, PASSWORD: password, CHECK_SECONDS: '1' };
    const worker = await startWorker(join(installed.folder, 'worker.ts'), { env, durable, port });
    try {
      for (const path of ['GET /', 'GET /bookings', 'POST /book', 'POST /connect', 'POST /disconnect', 'GET /connected?state=x&code=y']) {
        const [method = '', where = ''] = path.split(' ');
        expect([path, (await fetch(origin + where, { method, redirect: 'manual' })).status]).toEqual([path, 401]);
      }
      // Nothing is connected, so no secret is known: a genuine delivery must come again.
      expect((await fetch(`${origin}/deliveries`, { method: 'POST', body: '{}' })).status).toBe(503);

      const open = (path: string, { headers = {}, ...init }: RequestInit & { headers?: Record<string, string> } = {}): Promise<Response> =>
        fetch(origin + path, { redirect: 'manual', ...init, headers: { authorization: `Basic ${btoa(`owner:${password}`)}`, ...headers } });
      const begun = await open('/connect', { method: 'POST', headers: { origin } });
      const cookie = begun.headers.getSetCookie()[0]?.split(';')[0] ?? '';
      const consent = await browser.open(begun.headers.get('location') ?? '');
      const back = new URL((await browser.press(consent, /allow/i, { stopAt: `${origin}/callback` })).url);
      const relayed = await fetch(back, { redirect: 'manual' });
      const { pathname, search } = new URL(relayed.headers.get('refresh')?.replace('0; url=', '') ?? '');
      expect((await open(pathname + search)).status).toBe(400);
      expect((await open(pathname + search, { headers: { cookie } })).headers.get('location')).toBe('/connected');
      expect(await (await open('/connected')).text()).toContain('The account is connected');
      expect(sandbox.subscriptions()).toMatchObject([{ url: `${origin}/deliveries` }]);
      unsubscribe();
      await until(() => sandbox.subscriptions().length === 1);

      const { invitee_name: _, ...form } = wanted('2043-01-31T09:00');
      const body = new URLSearchParams({ ...form, invitee_name: 'Ada' });
      expect((await open('/book', { method: 'POST', body, headers: { origin: 'https://foreign.example' } })).status).toBe(403);
      expect((await open('/book', { method: 'POST', body })).status).toBe(201);
      await until(async () => (await (await open('/')).text()).includes('Booking created'));
      expect((await open('/disconnect', { method: 'POST' })).status).toBe(200);
      expect(sandbox.subscriptions()).toEqual([]);
    } finally {
      await worker.stop();
    }
  });

  it('does not open its pages to everybody: if no password is set, it shows nothing at all', async () => {
    const env = { ...clientOf(sandbox), PUBLIC_URL: 'https://site.example' };
    const careless = await startWorker(join(installed.folder, 'worker.ts'), { env, durable });
    try {
      for (const path of ['/', '/bookings']) expect((await fetch(careless.origin + path)).status).toBe(500);
      await until(() => careless.said().includes('Set PASSWORD'));
    } finally {
      await careless.stop();
    }
  });
});

it('copied out and installed as its guide says, it starts, or names the Node.js that it needs', async () => {
  const guide = await readFile(join(root, 'docs', 'guides', 'example.md'), 'utf8');
  const lines = ['npm run build -- sdk', 'cp -R examples/custom-app ../my-site', 'npm install <this project>/.local/sdk-package/*.tgz'];
  for (const line of [...lines, 'npm start']) expect(guide).toContain(`\n${line}\n`);
  const folder = join(installed.folder, 'my-site');
  await mustRun('npm', ['run', 'build', '--', 'sdk'], { cwd: root });
  await mustRun('cp', ['-R', example, folder], { cwd: root });
  await mustRun('npm', ['install', join(root, '.local', 'sdk-package', basename((await builtPackage('sdk')).tarball))], { cwd: folder });
  expect(await readdir(join(folder, 'node_modules'))).toEqual(expect.arrayContaining(['hono', brand.slug]));
  const app = await Application.start(folder);
  expect(await (await fetch(app.own)).text()).toContain('Connect an account');
  await app.stop();
  await rm(folder, { recursive: true });

  const { scripts } = JSON.parse(await readFile(join(example, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
  expect(scripts['prestart']).toBe('node checkNode.mjs');
  const older = "data:text/javascript,Object.defineProperty(process,'versions',{value:{node:'20.1.0'}})";
  const { code, output } = await runCommand(process.execPath, ['--import', older, 'checkNode.mjs'], { cwd: example });
  expect([code, output]).toEqual([1, expect.stringContaining('needs Node.js 24 or newer')]);
});
