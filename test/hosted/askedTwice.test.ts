import { Hono } from 'hono';
import { hasherWith } from '../../hosted/database/vault.ts';
import { browsersOf, knownBrowser } from '../../hosted/signIn/cookies.ts';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { installHosted } from '../../tools/rigs/mcp/hosted.ts';
import { startProcesses, type Processes } from '../../bench/mcpProcesses.ts';
import { openPostgres } from '../../tools/rigs/queue/postgres.ts';
import { Browser, textOf, type ShownPage } from '../../tools/rigs/zapier/browser.ts';
import { openedForFile } from '../support/hosted.ts';
import { authorizePath, codeForm, registered, tokenFrom, verifier } from '../support/byHand.ts';

// Browsers ask twice: on a reload, on a second press, before the person has decided, or on their own. Two processes answer in turn.
const opened = openedForFile();
let sandbox: Sandbox;
let processes: Processes;

beforeAll(async () => {
  sandbox = await opened.start('the sandbox', () => startSandbox({ file: ':memory:', limits: false }));
  const database = await openPostgres(await installHosted(), opened);
  processes = await startProcesses(2, { sandbox, folder: '', databaseUrl: database.url }, opened);
});
afterEach(() => sandbox.faults.clear());

const redirectUri = 'https://twice.example/callback';

/** A cookie jar that keeps paths, as browsers do, and follows nothing by itself. */
class Person {
  readonly #cookies = new Map<string, { pair: string; path: string }>();

  async ask(address: string, method: 'GET' | 'HEAD' | 'POST' = 'GET'): Promise<{ status: number; to: string; text: string }> {
    const url = new URL(address, processes.origin);
    const held = [...this.#cookies.values()].filter(({ path }) => url.pathname.startsWith(path)).map(({ pair }) => pair);
    const answer = await fetch(url, {
      method,
      redirect: 'manual',
      headers: { accept: 'text/html', cookie: held.join('; '), ...(method === 'POST' && { origin: processes.origin }) },
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';');
      const path = /path=([^;]+)/i.exec(cookie)?.[1] ?? '/';
      const name = `${path} ${pair.split('=', 1)[0] ?? ''}`;
      if (pair.endsWith('=') || /expires=Thu, 01 Jan 1970/i.test(cookie)) this.#cookies.delete(name);
      else this.#cookies.set(name, { pair, path });
    }
    const to = answer.headers.get('location') ?? answer.headers.get('refresh')?.replace(/^0; url=/, '') ?? '';
    return { status: answer.status, to: to === '' ? '' : new URL(to, url).href, text: textOf(await answer.text()) };
  }
}

/** An assistant that asks. @returns where it sends the person, and how it redeems its code */
async function asking(more: Record<string, string> = {}) {
  const id = await registered(processes.origin, { client_name: 'Twice', redirect_uris: [redirectUri] });
  const { state = crypto.randomUUID() } = more;
  const exchange = (address: string, code_verifier = verifier) =>
    tokenFrom(processes.origin, { ...codeForm(id, redirectUri, address), code_verifier });
  return { begin: authorizePath(id, redirectUri, { ...more, state }), exchange, state };
}

/** Brings a person as far as the answer of the service, which this server has not seen yet. */
async function allowed(more: Record<string, string> = {}) {
  const { begin, ...asked } = await asking(more);
  const person = new Person();
  const { to: question } = await person.ask(begin);
  const answer = await agree((await person.ask(question, 'POST')).to);
  return { person, question, answer, ...asked };
}

/** The person allows it at the service. @returns where the service then sends the browser */
async function agree(service: string): Promise<string> {
  const browser = new Browser();
  const page: ShownPage = await browser.open(service);
  return (await browser.press(page, /^allow/i, { stopAt: `${processes.origin}/callback` })).url;
}

const exchanges = (): number =>
  sandbox.requests().filter(({ path, body }) => path === '/api/oauth/token' && (body as { code?: string } | null)?.code !== undefined)
    .length;

describe('each address of a sign-in', () => {
  it('asked twice in turn gives the same browser the same code, which works', async () => {
    const { person, answer, exchange } = await allowed();
    const { to: done } = await person.ask(answer);
    expect((await person.ask(answer)).to).toBe(done);
    const { to: last } = await person.ask(done);
    expect((await person.ask(done)).to).toBe(last);
    const given = await person.ask(last);
    expect(new URL(given.to).searchParams.get('code')).not.toBeNull();
    expect(await person.ask(last)).toEqual(given);
    // From the beginning.
    expect((await person.ask((await person.ask((await person.ask(answer)).to)).to)).to).toBe(given.to);
    expect((await exchange(given.to)).status).toBe(200);
  });

  it('asked again while a slow service is being asked waits for the first request, and asks the service nothing', async () => {
    const { person, answer, exchange } = await allowed();
    const { to: done } = await person.ask(answer);
    const before = exchanges();
    sandbox.faults.add({ route: 'POST /api/oauth/token', kind: 'delay', delayMs: 1_500 });
    const both = await Promise.all([person.ask(done), person.ask(done), person.ask(done)]);
    expect(new Set(both.map(({ to }) => to)).size).toBe(1);
    expect(exchanges() - before).toBe(1);
    const [first, second] = await Promise.all([person.ask(both[0].to), person.ask(both[1].to)]);
    expect(second.to).toBe(first.to);
    expect((await exchange(first.to)).status).toBe(200);
  });

  it('asked first for its head alone gives the person the answer all the same', async () => {
    const { person, answer, exchange } = await allowed();
    await person.ask(answer, 'HEAD');
    const { to: done } = await person.ask(answer);
    await person.ask(done, 'HEAD');
    const { to: last } = await person.ask(done);
    await person.ask(last, 'HEAD');
    expect((await exchange((await person.ask(last)).to)).status).toBe(200);
  });

  it('gives another browser nothing', async () => {
    const { person, answer } = await allowed();
    const stranger = new Person();
    await stranger.ask('/auth?client_id=none');
    const { to: done } = await person.ask(answer);
    const early = await stranger.ask(done);
    expect(early.to === '' || (await stranger.ask(early.to)).status === 400).toBe(true);
    const { to: last } = await person.ask(done);
    await person.ask(last);
    for (const address of [done, last]) {
      const shown = await stranger.ask(address);
      expect(shown.to).not.toContain(redirectUri);
      if (shown.to !== '') expect(await stranger.ask(shown.to)).toMatchObject({ status: 400, to: '' });
    }
  });

  it('asked again after the assistant has its tokens says that it is connected, and harms nothing', async () => {
    const { person, answer, exchange } = await allowed();
    const { to: last } = await person.ask((await person.ask(answer)).to);
    const { body } = await exchange((await person.ask(last)).to);
    for (const address of [answer, last]) {
      let shown = await person.ask(address);
      while (shown.to !== '') shown = await person.ask(shown.to);
      expect(shown).toMatchObject({ status: 200, text: expect.stringContaining(' is connected. You can close this page.') as string });
    }
    const called = await fetch(`${processes.origin}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${String(body['access_token'])}` },
    });
    expect(called.status).not.toBe(401);
  });

  it('asked again after the service was away goes on with the answer that it had', async () => {
    const { person, answer, exchange } = await allowed();
    const { to: done } = await person.ask(answer);
    sandbox.faults.add({ route: 'POST /api/oauth/token', kind: 'status', status: 503, times: 'always' });
    expect((await person.ask(done)).status).toBe(502);
    sandbox.faults.clear();
    expect((await exchange((await person.ask((await person.ask(done)).to)).to)).status).toBe(200);
  });

  it('asked again after the service refused its code shows the same sentence, and asks the service nothing', async () => {
    const { person, answer } = await allowed();
    const { to: done } = await person.ask(answer.replace(/code=[^&]+/, 'code=made-up'));
    const first = await person.ask(done);
    expect(first.status).toBe(502);
    const before = exchanges();
    expect(await person.ask(done)).toEqual(first);
    expect(exchanges()).toBe(before);
  });

  it('asked twice after "Cancel" or a refusal tells the assistant the same', async () => {
    const { person, question, state } = await allowed();
    const [one, two] = await Promise.all([person.ask(`${question}/cancel`, 'POST'), person.ask(`${question}/cancel`, 'POST')]);
    const answers = [await person.ask(one.to), await person.ask(two.to)];
    expect(answers[0]?.to).toBe(answers[1]?.to);
    const told = new URL(answers[0]?.to ?? '').searchParams;
    expect([told.get('error'), told.get('state')]).toEqual(['access_denied', state]);
    const refused = await allowed();
    const { to: done } = await refused.person.ask(refused.answer.replace(/code=[^&]+/, 'error=access_denied'));
    const both = await Promise.all([refused.person.ask(done), refused.person.ask(done)]);
    const denied = await Promise.all(both.map(({ to }) => refused.person.ask(to)));
    expect(denied.map(({ to }) => new URL(to).searchParams.get('error'))).toEqual(['access_denied', 'access_denied']);
  });

  it('works in two tabs that went on from one page, with parameters as long as addresses may be', async () => {
    const { person, question, answer, exchange, state } = await allowed({ state: 's'.repeat(6_000) });
    const other = await agree((await person.ask(question, 'POST')).to);
    const { to: last } = await person.ask((await person.ask(answer)).to);
    const { to: otherLast } = await person.ask((await person.ask(other)).to);
    const given = await person.ask(last);
    expect(new URL(given.to).searchParams.get('state')).toBe(state);
    expect((await person.ask(otherLast)).to).toBe(given.to);
    expect((await exchange(given.to)).status).toBe(200);
  });

  it('works in two tabs that a browser opens at once which was never here, and in one that it opens later', async () => {
    const { begin, exchange } = await asking();
    const person = new Person();
    const tabs = await Promise.all([person.ask(begin), person.ask(begin)]);
    tabs.push(await person.ask(begin));
    for (const { to: question } of tabs) {
      const { to: done } = await person.ask(await agree((await person.ask(question, 'POST')).to));
      const { to: last } = await person.ask(done);
      const given = await person.ask(last);
      expect((await person.ask(last)).to).toBe(given.to);
      expect((await exchange(given.to)).status).toBe(200);
    }
    const [one, two] = await Promise.all([begin, begin].map(async (address) => new Person().ask(address)));
    expect((await new Person().ask(one?.to ?? '')).status).toBe(400);
    expect((await person.ask(two?.to ?? '')).status).toBe(400);
  });

  it('asks a browser that sends no cookies to allow them', async () => {
    const { question } = await allowed();
    expect((await new Person().ask(question)).text).toContain('sent no cookie');
  });
});

it('over TLS, a browser is known by cookies alone that no neighbouring host can set', async () => {
  const [origin, hash] = ['https://mcp.example.com', hasherWith('a secret')];
  const app = new Hono()
    .get('/begin', (c) => c.text(knownBrowser(c, origin, hash)))
    .get('/known', (c) => c.json(browsersOf(c, origin, hash)));
  const begun = [await app.request('/begin'), await app.request('/begin')];
  const cookies = begun.map(({ headers }) => headers.getSetCookie().join());
  for (const cookie of cookies) expect(cookie).toMatch(/^__Host-.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  const cookie = ['mcp_browser=theirs', 'mcp_browser_a=theirs', ...cookies.map((each) => each.split(';')[0])].join('; ');
  expect(await (await app.request('/known', { headers: { cookie } })).json()).toEqual(await Promise.all(begun.map((each) => each.text())));
});

describe('the page of connected assistants', () => {
  it('signs a person in whose browser asks twice, in two tabs, and nobody else', async () => {
    const person = new Person();
    const [one, two] = [await person.ask('/connections', 'POST'), await person.ask('/connections', 'POST')];
    const { to: done } = await person.ask(await agree(one.to));
    const signedIn = async (whose: Person): Promise<boolean> => (await whose.ask('/connections')).text.includes('Sign out');
    const both = await Promise.all([person.ask(done), person.ask(done)]);
    expect(both.map(({ status }) => status)).toEqual([303, 303]);
    expect(await signedIn(person)).toBe(true);
    expect((await person.ask(done)).status).toBe(303);
    expect((await person.ask((await person.ask(await agree(two.to))).to)).status).toBe(303);
    expect(await signedIn(person)).toBe(true);
    const stranger = new Person();
    await stranger.ask(done);
    expect(await signedIn(stranger)).toBe(false);
  });
});

describe('a code', () => {
  it('that came with a wrong verifier still works with the right one', async () => {
    const { person, answer, exchange } = await allowed();
    const { to } = await person.ask((await person.ask((await person.ask(answer)).to)).to);
    expect(await exchange(to, `${verifier}-of-another`)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect((await exchange(to)).status).toBe(200);
  });
});
