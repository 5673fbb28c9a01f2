import { createAdaptorServer } from '@hono/node-server';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { shares } from '../../hosted/database/shares.ts';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { flag, runProgram, text, whole } from '../../tools/commandLine/command.ts';
import { installHosted } from '../../tools/rigs/mcp/hosted.ts';
import { askTool, startProcesses, type Processes } from '../../bench/mcpProcesses.ts';
import { openPostgres, type Postgres } from '../../tools/rigs/queue/postgres.ts';
import { OpenedParts } from '../../tools/process/opened.ts';
import { Assistant } from '../support/assistant.ts';
import { authorizePath, refreshForm, registration } from '../support/byHand.ts';

const command = {
  name: 'npm run soak:hosted',
  does: 'lets many users call the MCP server for many users while its processes are killed, its database restarts and tokens expire, and counts what is lost, doubled or told to others. The exit code is 0 if nothing is.',
  options: {
    minutes: { ...text('<number>', 'How long.'), default: '5' },
    users: { ...text('<number>', 'How many, each with an account of their own.'), default: '200' },
    rate: { ...text('<number>', 'Calls a second, of all together.'), default: '20' },
    processes: { ...text('<number>', 'Of the server.'), default: '4' },
    strangers: flag(
      'In place of kills and restarts, somebody without an account asks for ten times of everything that strangers can spend, and no call of a user may fail.',
    ),
  },
  examples: [
    ['npm run soak:hosted -- --minutes 1 --users 20', 'A short run.'],
    ['npm run soak:hosted -- --strangers --minutes 2 --users 20 --rate 5', 'Twenty users beside a stranger.'],
  ],
} as const;

/** How long the service's tokens last, how often a process is killed, and how often the database restarts. Milliseconds. */
const [killEveryMs, restartEveryMs] = [20_000, 70_000];
/** Beside a stranger, users need half of the token requests that the service allows. Milliseconds. */
let tokenMs = 45_000;
/** When a client gives up, in milliseconds, and how often it asks again if it got no answer. */
const [longestMs, mostTries] = [60_000, 6];

/** A booking that was asked for, and what its caller knows of it. */
interface Wanted {
  email: string;
  told: 'done' | 'failed' | 'unknown';
  id?: unknown;
  again: () => Promise<void>;
}

/** What is counted, and what must never be. */
const counted = { calls: 0, errors: 0, askedAgain: 0, kills: 0, restarts: 0, refreshes: 0, lostWithKilled: 0 };
/** Those who had to. Only tokens that were lost with a killed process may be the reason. */
const signedInAgain = new Set<string>();
const never = {
  doubled: 0,
  lost: 0,
  invented: 0,
  unknown: 0,
  foreign: 0,
  hung: 0,
  defects: 0,
  unanswered: 0,
  refreshedTwice: 0,
  cutOff: 0,
  signedInAgain: 0,
  /** Beside a stranger. */
  failed: 0,
};

function found(what: keyof typeof never, why: string): void {
  never[what] += 1;
  if (never[what] <= 10) console.log(`${what}: ${why.slice(0, 500)}`);
}

/** What a caller is told who cannot know whether it was done. */
const inDoubt = /may or may not|may be|look for it/i;
const killedAt: number[] = [];

/** The service, which sees every refresh. */
async function watchedService(sandbox: Sandbox, opened: OpenedParts): Promise<string> {
  /** By its refresh tokens, all that it ever had: when its access token expires, and when it was refreshed last. */
  const connections = new Map<string, { expiresAt: number; refreshedAt: number }>();
  async function answered(request: Request): Promise<Response> {
    // As long as a service needs: what is asked for twice at once overlaps.
    if (request.method === 'POST') await sleep(50 + Math.random() * 100);
    if (!request.url.endsWith('/api/oauth/token')) return sandbox.fetch(request);
    const used = new URLSearchParams(await request.clone().text()).get('refresh_token');
    const answer = await sandbox.fetch(request);
    // The service's time, which goes ahead of this machine's: see `forward`.
    const now = sandbox.clock.now();
    const connection = connections.get(used ?? '') ?? { expiresAt: 0, refreshedAt: 0 };
    if (answer.ok) {
      if (used !== null) counted.refreshes += 1;
      if (connection.expiresAt > now) found('refreshedTwice', `${connection.expiresAt - now} ms before it expired`);
      Object.assign(connection, { expiresAt: now + tokenMs, refreshedAt: Date.now() });
      connections.set(((await answer.clone().json()) as { refresh_token: string }).refresh_token, connection);
    }
    // New tokens that a killed process had received and not yet written are lost: its person must sign in again.
    else if (killedAt.some((at) => Math.abs(at - connection.refreshedAt) < 1_000)) counted.lostWithKilled += 1;
    else if (used !== null && answer.status !== 429) found('cutOff', await answer.clone().text());
    return answer;
  }
  const server = createAdaptorServer({ fetch: answered, createServer, overrideGlobalObjects: false });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.add('the service', async () => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
}

/** What the stranger was answered, by what they asked for and the status. */
let stranger: Record<string, number> | undefined;

type User = { mark: string; account: string; eventType: string } & Awaited<ReturnType<typeof connect>>;

async function connect(origin: string, account: string) {
  const assistant = new Assistant(origin, 'An assistant');
  await (await assistant.signIn(account)).close();
  const { tokens, client } = assistant.stored;
  return { token: tokens?.access_token ?? '', refresh: tokens?.refresh_token ?? '', client: client?.client_id ?? '' };
}

const pick = <Each>(all: readonly Each[]): Each => all[Math.floor(Math.random() * all.length)] as Each;

/** Users who call, and what they were told. */
class Load {
  readonly wanted: Wanted[] = [];
  readonly tookMs: number[] = [];
  readonly #origin: string;
  constructor({ origin }: Processes) {
    this.#origin = origin;
  }

  /** One call: each third books, and some clients ask for the same twice at once. */
  async call(user: User): Promise<void> {
    const dice = Math.random();
    if (dice < 0.35) await this.#book(user, dice < 0.05);
    else await this.#ask(user, pick(['list_bookings', 'list_event_types', 'list_contacts', 'get_current_user']), {});
  }

  async #book(user: User, isTwice: boolean): Promise<void> {
    const email = `${user.mark}guest${this.wanted.length}@example.com`;
    const args = {
      event_type_id: user.eventType,
      start_time: new Date(Date.UTC(2031, 0, 1) + this.wanted.length * 1_800_000).toISOString(),
      ...{ invitee_name: `${user.mark}guest`, invitee_email: email },
    };
    const again = async (): Promise<void> => {
      // Nobody repeats a call whose twin was answered: that would be a wish for another one.
      const { answer, isSure } = await this.#ask(user, 'create_booking', args, () => wanted.told === 'done');
      if (answer?.isError === false) {
        const { id } = answer.record;
        if (wanted.id !== undefined && wanted.id !== id) found('doubled', `${email}: two ids were told`);
        [wanted.told, wanted.id] = ['done', id];
      } else if (wanted.told === 'failed' && !isSure) wanted.told = 'unknown';
    };
    const wanted: Wanted = { email, told: 'failed', again };
    this.wanted.push(wanted);
    await Promise.all(isTwice ? [again(), again()] : [again()]);
  }

  /** Calls a tool, and again if no answer came, as people and clients do. @returns whether an error is certain */
  async #ask(user: User, tool: string, args: object, isOver = (): boolean => false) {
    let isSure = true;
    for (let tries = 0; tries < mostTries && !isOver(); tries += 1) {
      counted[tries === 0 ? 'calls' : 'askedAgain'] += 1;
      const begunAt = performance.now();
      const answer = await askTool(Number(new URL(this.#origin).port), user.token, tool, args, AbortSignal.timeout(longestMs)).catch(
        (error: unknown) => {
          if (String(error).includes('another request')) found('foreign', String(error));
        },
      );
      const took = performance.now() - begunAt;
      if (took >= longestMs) found('hung', tool);
      const marks = (answer?.raw.match(/mark-\d+-/g) ?? []).filter((mark) => mark !== user.mark);
      if (marks.length > 0) found('foreign', `${user.mark} was told of ${marks.join(', ')}`);
      if (answer?.status === 200) this.tookMs.push(took);
      if (answer?.status === 200 && !answer.isError) return { answer, isSure };
      if (answer?.status === 200) {
        counted.errors += 1;
        if (stranger !== undefined) found('failed', `${tool}: ${answer.text}`);
        if (answer.text.includes('error in this program')) found('defects', `${tool}: ${answer.text}`);
        isSure &&= !inDoubt.test(answer.text);
        // An ended connection is told of once, then it can be renewed.
        if (!answer.text.includes('signs in again')) return { answer, isSure };
      } else if (answer?.status === 401) await this.#renew(user);
      else isSure = (await sleep(1_000), false);
    }
    if (!isOver()) found('unanswered', `${tool}, ${mostTries} times`);
    return { answer: undefined, isSure: false };
  }

  /** As clients do after a 401. */
  async #renew(user: User): Promise<void> {
    const body = new URLSearchParams(refreshForm(user.client, user.refresh));
    const answer = await fetch(`${this.#origin}/token`, { method: 'POST', body });
    const said = (await answer.json().catch(() => ({}))) as { access_token?: string; refresh_token?: string };
    if (answer.ok) Object.assign(user, { token: said.access_token, refresh: said.refresh_token });
    else if (answer.status !== 400) await sleep(1_000);
    else {
      signedInAgain.add(user.mark);
      Object.assign(user, await connect(this.#origin, user.account).catch(() => sleep(1_000)));
    }
  }

  /** Compares what was told with what the service has. */
  judge(sandbox: Sandbox) {
    const there = Map.groupBy(sandbox.bookings(), ({ invitee_email: email }) => email);
    const ends = { done: 0, failed: 0, unknown: 0 };
    for (const { email, told, id } of this.wanted) {
      const made = there.get(email) ?? [];
      ends[told] += 1;
      if (made.length > 1) found('doubled', `${email}: ${made.length}`);
      if (told === 'done' && !made.some((each) => each.id === id)) found('invented', email);
      if (told === 'failed' && made.length > 0) found('lost', `${email} was told as failed, and is there`);
      if (told === 'unknown') found('unknown', email);
    }
    return ends;
  }
}

/** As if the stranger had begun long ago: two minutes do not reach the end of what is counted by the hour. What is left lets codes be made up for a while. */
async function spendAlmost(url: string): Promise<void> {
  // Its packages are only there once they were installed.
  const { openDatabase } = await import('../../hosted/database/database.ts');
  const { sql, close } = await openDatabase({ url, folder: '' });
  for (const [{ name, all }, left] of [
    [shares.signIns, 600],
    [shares.clients, 50],
  ] as const)
    await sql('UPDATE mcp_shares SET taken = ? WHERE name = ?', [all / 2 - left, name]);
  await close();
}

/** Asks for ten times of everything that strangers can spend, until it is over. */
async function beStranger({ origin }: Processes, answers: Record<string, number>, over: AbortSignal): Promise<void> {
  let turn = 0;
  const send = async (what: string, path: string, init: RequestInit = {}): Promise<Response> => {
    const answer = await fetch(origin + path, { redirect: 'manual', signal: AbortSignal.timeout(longestMs), ...init });
    const name = `${what} ${answer.status}`;
    answers[name] = (answers[name] ?? 0) + 1;
    if (answer.status === 429 && answer.headers.get('retry-after') === null) found('defects', `${what}: 429 without Retry-After`);
    return answer;
  };
  const register = (name: string) =>
    send('register', '/reg', registration({ client_name: name, redirect_uris: ['https://stranger.example/'] }));
  const client = ((await (await register('A stranger')).json()) as { client_id: string }).client_id;
  const authorize = (id: string) => authorizePath(id, 'https://stranger.example/', { state: 's'.repeat(5_000) });
  const madeUpCode = async (): Promise<void> => {
    const begun = await send('begin', authorize(client));
    const page = new URL(begun.headers.get('location') ?? '/', origin).pathname;
    const cookie = begun.headers.getSetCookie().map((each) => each.split(';')[0]);
    const headers = { cookie: cookie.join('; '), origin };
    const to = (await send('go on', page, { method: 'POST', headers })).headers.get('location') ?? '';
    const state = URL.canParse(to) ? (new URL(to).searchParams.get('state') ?? '') : '';
    await send('made-up code', `${page}/done?state=${state}&code=made-up`, { headers });
  };
  /** Times a minute: ten times what `hosted/database/shares.ts` allows. */
  const asks: readonly [number, () => Promise<unknown>][] = [
    [140, madeUpCode],
    [170, () => register(`Stranger ${(turn += 1)}`)],
    [3_300, () => send('begin', authorize(client))],
    [10_000, () => send('document', authorize(`https://a${(turn += 1)}.co.invalid/client.json`))],
    [600, () => send('connections', '/connections', { method: 'POST', headers: { origin } })],
    [600, () => send('token', '/token', { method: 'POST', body: new URLSearchParams(refreshForm(client, 'made-up')) })],
  ];
  await Promise.all(
    asks.map(async ([aMinute, ask]) => {
      const asked: Promise<unknown>[] = [];
      while (await sleep(60_000 / aMinute, true, { signal: over }).catch(() => false)) asked.push(ask().catch((error: unknown) => error));
      await Promise.all(asked);
    }),
  );
}

/** Kills processes and restarts the database until it is over. */
async function disturb(processes: Processes, database: Postgres, over: AbortSignal): Promise<void> {
  const every = async (ms: number, work: () => Promise<void>): Promise<void> => {
    while (await sleep(ms, true, { signal: over }).catch(() => false)) await work();
  };
  const kill = async (): Promise<void> => {
    const at = (counted.kills += 1) % processes.all.length;
    killedAt.push(Date.now());
    await processes.kill(at);
    await sleep(2_000);
    await processes.restart(at);
  };
  await Promise.all([every(killEveryMs, kill), every(restartEveryMs, async () => ((counted.restarts += 1), database.restart()))]);
}

await runProgram(command, async ({ values }) => {
  const numbers = ['minutes', 'users', 'rate', 'processes'] as const;
  const [minutes = 0, most = 0, rate = 1, width = 1] = numbers.map((name) => whole(values[name], `--${name}`, 1));
  const opened = new OpenedParts();
  try {
    if (values.strangers === true) [stranger, tokenMs] = [{}, 120_000];
    const start = () =>
      startSandbox({ limits: stranger === undefined ? false : {}, forms: { slots: 'shared' }, tokenLifetimeSeconds: tokenMs / 1000 });
    const sandbox = await opened.start('the sandbox', start);
    const database = await openPostgres(await installHosted(), opened);
    const env: Record<string, string> = { SCHEDULING_BASE_URL: await watchedService(sandbox, opened) };
    const processes = await startProcesses(width, { sandbox, folder: '', databaseUrl: database.url, env }, opened);
    const users: User[] = [];
    while (users.length < most) {
      const mark = `mark-${users.length}-`;
      const { id: account } = sandbox.addAccount({ name: `${mark}host`, email: `${mark}host@example.com` });
      const eventType = sandbox.eventTypes().find((each) => each.account_id === account && each.name === 'Intro Call')?.id ?? '';
      // The service allows so many token requests a minute.
      if (stranger !== undefined && users.length % 10 === 9) await sandbox.forward(61_000);
      users.push({ mark, account, eventType, ...(await connect(processes.origin, account)) });
    }
    process.stderr.write(`${users.length} users are connected.\n`);
    if (stranger !== undefined) {
      // All users connect from one address. From here on, the server knows what the service allows.
      env['SCHEDULING_MCP_TOKEN_REQUESTS'] = '20';
      for (const at of processes.all.keys()) await processes.kill(at).then(() => processes.restart(at));
      await spendAlmost(database.url);
    }
    const [load, over, begunAt] = [new Load(processes), new AbortController(), performance.now()];
    const disturbed = stranger === undefined ? disturb(processes, database, over.signal) : beStranger(processes, stranger, over.signal);
    const running = [disturbed];
    for (let at = 0; at < minutes * 60_000; at += 1_000 / rate) {
      await sleep(Math.max(0, begunAt + at - performance.now()));
      running.push(load.call(pick(users)));
    }
    over.abort();
    await Promise.all(running);
    // Whoever does not know asks again, and nothing disturbs any more.
    const unknownAtFirst = load.wanted.filter(({ told }) => told === 'unknown');
    for (const { again } of unknownAtFirst) await again();
    const told = load.judge(sandbox);
    if (signedInAgain.size > counted.lostWithKilled) found('signedInAgain', [...signedInAgain].join(', '));
    const took = load.tookMs.sort((one, other) => one - other);
    const [p50, p99, max] = [0.5, 0.99, 1].map((part) => Math.round(took[Math.ceil(took.length * part) - 1] ?? 0));
    const all = {
      minutes,
      users: users.length,
      rate,
      processes: width,
      ...counted,
      signedInAgain: signedInAgain.size,
      told,
      unknownAtFirst: unknownAtFirst.length,
      stranger,
    };
    console.log(JSON.stringify({ ...all, msOfACall: { p50, p99, max }, never }));
    return Object.values(never).every((times) => times === 0) ? 0 : 1;
  } finally {
    await opened.closeAll();
  }
});
