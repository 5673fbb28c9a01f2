import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FORM_NAMES, FORMS, parseForm, startSandbox, virtualClock, type Forms, type Sandbox } from '../../sandbox/service.ts';
import assumptions from '../../shared/assumptions.json' with { type: 'json' };
import { idempotencyKey } from '../../shared/assumptions.ts';
import { sentSample } from '../../shared/events.ts';
import { booking } from '../../shared/records/samples.ts';
import type { Gap } from '../../tools/probe/asking.ts';
import { fields } from '../../tools/probe/answers.ts';
import { probe, type Choices } from '../../tools/probe/probe.ts';
import { Findings, settledIn, type Report, type GapVerdict } from '../../tools/probe/report.ts';
import { startReceiver, type ProbeReceiver } from '../../tools/probe/receiver.ts';
import { root } from '../../tools/root.cjs';
import { Browser } from '../../tools/rigs/zapier/browser.ts';
import { serve } from '../support/serve.ts';
import { directFetch } from '../support/service.ts';
import { listOf, oneOf } from '../support/wire.ts';

let sandbox: Sandbox | undefined;
let receiver: ProbeReceiver | undefined;
afterEach(async () => {
  jest.restoreAllMocks();
  await sandbox?.stop();
  await receiver?.close();
  sandbox = receiver = undefined;
});

/** Runs the whole probe against a sandbox in virtual time: its waits advance the sandbox's clock. */
async function probed(forms: Partial<Forms>, prepare: (sandbox: Sandbox) => Partial<Choices> = () => ({})): Promise<Report> {
  const clock = virtualClock(Date.parse('2030-01-02T08:00:00Z'));
  const running = await startSandbox({ clock, forms });
  sandbox = running;
  const direct = directFetch(running);
  jest.spyOn(globalThis, 'fetch').mockImplementation((address, init = {}) => direct(address as string, init));
  const choices = prepare(running);
  receiver = await startReceiver(0);
  const { access_token: token } = running.issueToken();
  const sleep = async (ms: number): Promise<void> => {
    await running.settled();
    await clock.advance(ms);
    await running.settled();
  };
  return probe(
    { baseUrl: running.baseUrl, token, now: () => clock.now(), sleep, say: () => undefined },
    { write: true, limits: false, receiver, deliverTo: `http://127.0.0.1:${receiver.port}/`, ...choices },
  );
}

const connectionOf = ({ client, issueToken }: Sandbox): NonNullable<Choices['connection']> => ({
  clientId: client.id,
  clientSecret: client.secret,
  refreshToken: issueToken().refresh_token,
});
const numberOf = (gap: Gap): string => assumptions[gap].number;
const seenOf = ({ findings }: Report, gap: Gap) => findings.find((each) => each.gap === gap);
const verdictOf = ({ findings }: Report, number: string): GapVerdict | undefined =>
  findings.find(({ gap }) => numberOf(gap) === number)?.verdict;

/** Forms that only show if others are chosen as well. */
const together: Readonly<Record<string, Partial<Forms>>> = {
  hookName: { list: 'plural', single: 'named' },
  'emailMatch=case': { email: 'lower' },
};
/** Forms that the core cannot work with and reports. The probe must report them as well. */
const fitsNone = 'list=array cursor=none contradiction=more contradiction=unnamed secret=absent'.split(' ');
/**
 * No answer of the API shows what a host does on the service's own pages; either way of authenticating accepts the usual one; what a cursor
 * consists of does not matter; a time is booked once.
 */
const unseen =
  'approval=approved slots=shared clientAuth=body cursors=page cursors=long emailMatch=made hooksListed=client targets=unique gone=retried retries=days';
/** These take a second application, or a receiver that is gone. The probe has neither. */
const notLookedAt = ['hooksListed', 'gone'];
/** How many subscriptions have to exist before the probe, so that a form shows, the usual one as well. */
const subscribedBefore: Readonly<Record<string, number>> = { limitStatus: 25, limitNamed: 25, subscriptionEvents: 1 };
/** These hide what others show. */
const alone =
  /^(?:records|secret|slots|created|limit(?:Status|Named)|subscriptionEvents|hookName|contradiction|list=array|cursor=none|email\w*|error\w+|refusal)\b/;

interface Case {
  name: string;
  gap: string;
  forms: Partial<Forms>;
  expected: GapVerdict;
}

/** The first value of a form is the usual one, in which the canonical sandbox is probed below. */
const ofForms = FORM_NAMES.flatMap((name) =>
  FORMS[name].values.flatMap((value, index): Case[] => {
    const form = `${name}=${value}`;
    const isUsual = index === 0 && together[name] === undefined;
    if (isUsual && subscribedBefore[name] === undefined) return [];
    const asAssumed = isUsual || unseen.split(' ').includes(form);
    const seen = fitsNone.includes(form) ? 'differs' : asAssumed ? 'as assumed' : 'also read';
    const forms = { ...together[name], ...together[form], [name]: value };
    return [{ name: form, gap: FORMS[name].gap, forms, expected: notLookedAt.includes(name) ? 'not seen' : seen }];
  }),
);
const ofHabits = Object.entries({
  G43: 'email=lower email=untagged name=turned typeId=prefixed start=local createdAt=seconds createdAt=behind serviceClock=ahead listLag=45s',
  G12: 'created=204 created={}',
  G42: 'unfiltered=confirmed unfiltered=upcoming',
  G46: 'dateFilters=after-before',
  G30: 'email=untagged',
}).flatMap(([gap, all]) => all.split(' ').map((form): Case => ({ name: form, gap, forms: parseForm(form), expected: 'also read' })));

/** As many as show beside each other: of each gap one. */
const groups: Case[][] = [];
for (const each of [...ofForms, ...ofHabits]) {
  const isAlone = alone.test(each.name);
  const group = isAlone ? undefined : groups.find((those) => those.every(({ gap, name }) => gap !== each.gap && !alone.test(name)));
  if (group === undefined) groups.push([each]);
  else group.push(each);
}

it.each(groups.map((group) => ({ group, names: group.map(({ name }) => name).join(', ') })))(
  'detects $names, and removes what it made',
  async ({ group }) => {
    const before = subscribedBefore[group[0]?.name.split('=')[0] ?? ''] ?? 0;
    const gaps = group.map(({ gap }) => gap);
    const report = await probed(Object.assign({}, ...group.map(({ forms }) => forms)) as Partial<Forms>, (running) => {
      for (let count = 0; count < before; count += 1)
        running.host.addSecretlessSubscription({ url: `http://127.0.0.1:9/${count}`, events: ['CONTACT_CREATED'] });
      return {
        limits: gaps.includes('G16'),
        ...(gaps.some((gap) => ['G14', 'G15'].includes(gap)) && { connection: connectionOf(running) }),
      };
    });
    const seen = group.map(({ name, gap }) => ({ name, verdict: verdictOf(report, gap) }));
    expect(seen).toEqual(group.map(({ name, expected }) => ({ name, verdict: expected })));
    expect(report.left).toEqual([]);
    expect(sandbox?.subscriptions().map(({ url }) => url)).toEqual(
      Array.from({ length: before }, (_, count) => `http://127.0.0.1:9/${count}`),
    );
    // Whatever the service made of its address.
    const made = sandbox?.bookings().filter(({ invitee_email: email }) => email.toLowerCase().startsWith('probe')) ?? [];
    expect(new Set(made.map(({ status }) => status))).toEqual(new Set(['CANCELLED']));
  },
);

it('names each field beyond the assumed ones', () => {
  const findings = new Findings();
  fields(findings, 'booking', { ...sentSample({ record: 'booking', sample: booking }), room_name: 'a', 'x-id': 'b' });
  expect(findings.all().find(({ gap }) => gap === 'bookingRecord')?.seen).toEqual(['booking: more than assumed: `room_name`, `x-id`']);
});

it('finds that the canonical sandbox is as assumed, in everything that can be seen', async () => {
  const report = await probed({}, (running) => ({ limits: true, connection: connectionOf(running) }));
  const notSeen = report.findings.filter(({ verdict }) => verdict === 'not seen').map(({ gap }) => numberOf(gap));
  expect(notSeen).toEqual(['G19', 'G24', 'G26', 'G29', 'G31', 'G32', 'G33', 'G34', 'G35', 'G38', 'G41', 'G44']);
  expect(report.findings.filter(({ verdict }) => verdict !== 'not seen' && verdict !== 'as assumed')).toEqual([]);
  expect(report.findings.map(({ gap }) => gap)).toEqual(Object.keys(assumptions));
});

it.each(['ignored', 'heeded'] as const)('where keys are sent, says whether the service heeds them: %s', async (form) => {
  jest.replaceProperty(idempotencyKey, 'isHeeded', true);
  const report = await probed({ idempotencyKey: form });
  expect(verdictOf(report, 'G48')).toBe(form === 'heeded' ? 'as assumed' : 'differs');
});

it('without --write nothing is created, changed or removed', async () => {
  const report = await probed({}, () => ({ write: false }));
  const asked = sandbox?.requests().map(({ method, path }) => `${method} ${path}`) ?? [];
  expect(asked.length).toBeGreaterThan(10);
  expect(asked.filter((each) => !each.startsWith('GET '))).toEqual(['POST /api/oauth/token']);
  expect(verdictOf(report, 'G8')).toBe('not seen');
  expect(verdictOf(report, 'G5')).toBe('as assumed');
});

/** A service that gives the same answer to everything. */
async function serveAlways(body: string, type: string): Promise<string> {
  const port = await serve((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': type, connection: 'close' }).end(body);
  });
  return `http://127.0.0.1:${port}/api/v1`;
}

it('what the core reads in other places does not differ, and a booking that cannot be cancelled is named', async () => {
  const report = await probed({}, ({ faults }) => {
    const answers = (route: string, body: object) => faults.add({ route, kind: 'status', status: 200, times: 'always', body });
    answers('GET /v1/me', oneOf({ user: { id: 'usr_1', email: 'maya@example.com' } }));
    answers('GET /v1/contacts', { ...oneOf({ people: [{ id: 'con 1', email: 'ada@example.com' }] }), links: { next: null } });
    faults.add({ route: 'POST /v1/bookings/:id/cancel', kind: 'status', status: 409, times: 'always' });
    return {};
  });
  const [record, list] = [seenOf(report, 'recordEnvelope'), seenOf(report, 'listEnvelope')];
  expect([record?.verdict, list?.verdict]).toEqual(['also read', 'also read']);
  expect(record?.seen).toContain('the record is under "data.user" (also read)');
  expect(list?.seen).toContain('the items are under "data.people" (also read)');
  expect(report.left).toEqual(
    sandbox
      ?.bookings()
      .filter(({ invitee_email: email }) => email.startsWith('Probe'))
      .map(({ id }) => `the booking ${id} (409)`),
  );
  expect(report.left).toHaveLength(1);
});

it('a list whose cursor leads back to its first page differs and is not settled, and without a delivery no form of a booking is', async () => {
  const report = await probed({}, ({ faults }) => {
    const people = [oneContact('con_1'), oneContact('con_2')];
    faults.add({ route: 'GET /v1/contacts', kind: 'status', status: 200, times: 'always', body: listOf(people, 'again') });
    return { write: false };
  });
  const list = seenOf(report, 'listEnvelope');
  expect(list?.verdict).toBe('differs');
  expect(list?.seen).toContain('the cursor of GET /v1/contacts does not lead to a second page (differs)');
  const settled = Object.keys(settledIn(report));
  expect(settled).toEqual(expect.arrayContaining(['G3 contact.id', 'G6 eventType.name']));
  expect(settled.filter((name) => /^G1 |(?:booking|person|pair)\./.test(name))).toEqual([]);
});
const oneContact = (id: string) => ({ id, name: 'Ada Lovelace', email: `${id}@example.com` });

/** Runs the command. It gets secrets the way a person passes them: through the environment. */
const command = (
  args: string[],
  secrets: { SCHEDULING_TOKEN?: string; SCHEDULING_CLIENT_SECRET?: string },
  consent?: (page: string) => Promise<void>,
): Promise<{ code: number | null; output: string }> =>
  new Promise((resolve, reject) => {
    const program = ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', join(root, 'tools', 'commands', 'probe.ts')];
    const settled = join(tmpdir(), `settled-${process.pid}.json`);
    const env = { ...process.env, ...secrets };
    const child = execFile(process.execPath, [...program, '--settled', settled, ...args], { env }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode, output: stdout + stderr }),
    );
    child.stderr?.on('data', (text: string) => {
      const [page] = /http\S+code_challenge\S+/.exec(text) ?? [];
      if (page !== undefined) consent?.(page).catch(reject);
    });
  });

it.each([
  ['{"ok":true}', 'application/json'],
  ['<html>Welcome</html>', 'text/html'],
])('a service that answers %s fits no form: the probe says so and ends with 1', async (body, type) => {
  const baseUrl = await serveAlways(body, type);
  const { code, output } = await command(['--base', baseUrl, '--write'], { SCHEDULING_TOKEN: 'secret-token-of-the-test' });
  expect(code).toBe(1);
  const differing = output.split('\n\n')[0] ?? '';
  for (const gap of ['G2', 'G4', 'G8', 'G18', 'G25']) expect(differing).toMatch(new RegExp(`^  ${gap} `, 'm'));
  expect(differing).toContain('Differs');
  expect(output).not.toContain('secret-token-of-the-test');
});

it('the command prints the form of every assumption, and neither a token nor a secret nor a value of a record', async () => {
  sandbox = await startSandbox();
  const { access_token: token } = sandbox.issueToken();
  const { code, output } = await command(['--base', sandbox.baseUrl, '--write'], { SCHEDULING_TOKEN: token });
  expect({ code, output }).toMatchObject({ code: 0 });
  for (const { number } of Object.values(assumptions)) expect(output).toMatch(new RegExp(`^  ${number} `, 'm'));
  expect(output).not.toContain(token);
  expect(output).not.toMatch(/whsec_/);
  for (const { name, email } of sandbox.contacts()) expect([name, email].filter((value) => output.includes(value))).toEqual([]);
});

it('the command does not ask to correct an assumption where the service failed', async () => {
  sandbox = await startSandbox();
  sandbox.faults.add({ route: 'GET /v1/event-types', kind: 'status', status: 500, times: 9 });
  const { output } = await command(['--base', sandbox.baseUrl], { SCHEDULING_TOKEN: sandbox.issueToken().access_token });
  const [, said] = /^Differs: (.*)\n  G1 /m.exec(output) ?? [];
  expect(said).toContain('If the service failed or refused it (403, 500), fix that and probe again.');
});

const ends = async (running: ReturnType<typeof command>, words: string): Promise<void> =>
  expect(await running).toMatchObject({ code: 1, output: expect.stringContaining(words) as unknown });

/** What a person does at the address that the command prints. */
async function answer(page: string, button: RegExp): Promise<void> {
  const browser = new Browser();
  await browser.press(await browser.open(page), button);
}

/** A redirect address on a free port. */
async function addressHere(): Promise<string> {
  const { port, close } = await startReceiver(0);
  await close();
  return `http://127.0.0.1:${port}/back`;
}

it('--connect opens a connection through the consent page, settles the gaps that show there, and ends the connection', async () => {
  sandbox = await startSandbox();
  const back = await addressHere();
  sandbox.allowRedirect(back);
  const { client, baseUrl } = sandbox;
  const args = ['--base', baseUrl, '--connect', back, '--client-id', client.id];
  const { code, output } = await command(args, { SCHEDULING_CLIENT_SECRET: client.secret }, (page) => answer(page, /^Allow$/));
  expect({ code, output }).toMatchObject({ code: 0 });
  const assumed = output.split('As assumed')[1]?.split('\n\n')[0] ?? '';
  for (const gap of ['G14', 'G15', 'G23', 'G24', 'G25', 'G26']) expect(assumed).toMatch(new RegExp(`^  ${gap} `, 'm'));
  expect(output).not.toContain(client.secret);
  expect(output).not.toMatch(/\b[ar]t_\w{20}/);
});

it('--connect ends with a sentence if the person refuses, or if the address is not on this machine or taken', async () => {
  sandbox = await startSandbox();
  const back = await addressHere();
  sandbox.allowRedirect(back);
  const { client, baseUrl } = sandbox;
  const args = (address: string) => ['--base', baseUrl, '--connect', address, '--client-id', client.id];
  const secrets = { SCHEDULING_CLIENT_SECRET: client.secret };
  const refused = command(args(back), secrets, (page) => answer(page, /^Deny$/));
  await ends(refused, 'The account was not connected: The account holder denied access.');
  await ends(command(args('https://elsewhere.example/back'), secrets), 'It must be on this machine');
  const { port } = new URL(baseUrl);
  const taken = command(args(`http://127.0.0.1:${port}/back`), secrets);
  await ends(taken, `Port ${port} is taken. If another consent page is open, answer that one.`);
});

it('a token that is not valid, and a service that is not there, end it with a sentence', async () => {
  sandbox = await startSandbox();
  const args = ['--base', sandbox.baseUrl];
  await ends(command(args, { SCHEDULING_TOKEN: 'wrong' }), 'refused with 401');
  await sandbox.stop();
  sandbox = undefined;
  await ends(command(args, { SCHEDULING_TOKEN: 'any' }), 'could not be reached');
});
