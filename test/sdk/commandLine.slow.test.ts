import { access, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commands } from '../../sdk/cli/commands.ts';
import { helpOn, overview, program } from '../../sdk/cli/help.ts';
import { brand } from '../../shared/brand.ts';
import { ownTime } from '../../sdk/time.ts';
import { freePort } from '../../tools/process/freePort.ts';
import { agree } from '../../tools/rigs/mcp/connected.ts';
import { until } from '../support/until.ts';
import { CommandLine, inFrontOf, type Ran } from './commandLine.ts';
import { fastTime } from './stage.ts';
import manifest from '../../sdk/package.json' with { type: 'json' };
import { listOf, oneOf } from '../support/wire.ts';

let line: CommandLine;
beforeEach(async () => void (line = await CommandLine.open()));
afterEach(() => line.close());

const options = (fields: Record<string, string>) =>
  Object.entries(fields).flatMap(([key, value]) => [`--${key.replaceAll('_', '-')}`, value]);
/** Nothing was sent. */
const untold = () => expect(line.stage.sandbox.requests()).toEqual([]);

describe('books, lists and cancels', () => {
  test('as JSON for programs', async () => {
    const booked = await line.ran(['bookings', 'create', ...options(line.stage.wanted), '--json']);
    expect([booked.code, booked.said]).toEqual([0, '']);
    const { id, invitee_email } = JSON.parse(booked.out) as Record<string, string>;
    expect([id, booked.out]).toEqual([expect.any(String), expect.stringMatching(/^\{\n {2}"invitee_name": "/)]);
    await line.stage.client().bookings.create({ ...line.stage.wanted, invitee_email: String(invitee_email) });
    const listed = async (...more: string[]) =>
      JSON.parse((await line.ran(['bookings', 'list', `--email=${invitee_email}`, '--json', ...more])).out) as unknown[];
    expect([(await listed('--limit', '1')).length, (await listed()).length]).toEqual([1, 2]);
  });

  test('permanently only if that is said', async () => {
    const { id } = await line.stage.client().bookings.create(line.stage.wanted);
    const statusNow = () => line.stage.sandbox.bookings().find((booking) => booking.id === id)?.status;
    const refused = await line.ran(['bookings', 'cancel', '--booking-id', id]);
    expect([refused.code, refused.said]).toEqual([2, `Cancel Booking is permanent. Add --yes to do it.\nSee ${program} --help.`]);
    const cancel = () => line.ran(['bookings', 'cancel', '--booking_id', id, '--yes']);
    expect(statusNow()).toBe('CONFIRMED');
    expect((await cancel()).out).toMatch(/status +CANCELLED/);
    expect(statusNow()).toBe('CANCELLED');
  });

  test.each([
    [' YES ', 0],
    ['oh yes', 2],
  ])('permanently only if the person at the terminal agrees: %j', async (answer, code) => {
    const { id, status } = line.stage.sandbox.host.book();
    const env = { SCHEDULING_ACCESS_TOKEN: line.stage.token() };
    await inFrontOf([answer], async ({ shown }) => {
      // Characters that turn the direction of text or move the cursor could make the question say something else.
      const ran = await line.typed(['bookings', 'cancel', '--booking-id', id, '--reason', 'I\u202Ell\u001b[2K'], env);
      expect([ran.code, ran.said.includes('Nothing was done.')]).toEqual([code, code === 2]);
      expect(shown()).toContain(`Cancel Booking (${id}, I ll [2K) is permanent. Continue? [y/N]`);
    });
    expect(line.stage.sandbox.bookings().find((each) => each.id === id)?.status).toBe(code === 0 ? 'CANCELLED' : status);
  });
});

test('a filter whose variable was empty is refused by the name of its option: what follows in a script would take everything', async () => {
  const { code, said, out } = await line.ran(['bookings', 'list', '--email', '', '--status= ', '--json']);
  expect([code, out]).toEqual([1, '']);
  expect(said).toBe(
    '--status is set, but it is empty, so it would filter nothing. --email is set, but it is empty, so it would filter nothing. Fill them in, or remove the fields to get everything.',
  );
  expect((await line.ran(['bookings', 'find', '--email', ''])).said).toContain('--email is set, but it is empty');
});

describe('for people', () => {
  const answerWith = (body: unknown, route = 'GET /v1/contacts') =>
    void line.stage.sandbox.faults.add({ route, kind: 'status', status: 200, body });

  test('prints one line for each record of a list, with what fits into it, or says that there are none', async () => {
    const long = 'x'.repeat(61);
    const rows = [
      { id: 'con_1', name: 'Ada', email: 'ada@example.com', phone: '', timezone: 'UTC', notes: 'none' },
      { id: long, name: long },
    ];
    answerWith(listOf(rows));
    expect((await line.ran(['contacts', 'list'])).out.split('\n')).toEqual([
      `${'id'.padEnd(61)}  ${'name'.padEnd(60)}  email            timezone  notes`,
      `${'con_1'.padEnd(61)}  ${'Ada'.padEnd(60)}  ada@example.com  UTC       none`,
      `${long}  ${long.slice(2)}…`,
    ]);
    answerWith(listOf([{ id: 'sub_1', events: ['BOOKING_CREATED', 'BOOKING_DENIED'] }]), 'GET /v1/hooks');
    expect((await line.ran(['subscriptions', 'list'])).out).toBe('id     events\nsub_1  BOOKING_CREATED, BOOKING_DENIED');
    answerWith(listOf([]));
    expect((await line.ran(['contacts', 'list'])).out).toBe('Nothing was found.');
  });

  test('keeps letters whole and columns straight, in every writing', async () => {
    // With what fills each up to the columns that a terminal shows, so that the zones stand one below the other.
    const names = { '山田 太郎': 52, ﾔﾏ: 59, '👩‍👩‍👧 Ada': 55, 'Zoe\u0308': 58, می‌خواهم: 54, [`${'x'.repeat(58)}😀 and more`]: 2 };
    answerWith(listOf(Object.keys(names).map((name, id) => ({ id, name, timezone: 'UTC' }))));
    const shown = Object.entries(names).map(([name, blanks], id) => `${id}   ${name.replace('😀 and more', '…')}${' '.repeat(blanks)}UTC`);
    expect((await line.ran(['contacts', 'list'])).out.split('\n').slice(1)).toEqual(shown);
  });

  test("prints bookings at the host's time with its zone, or in the zone that was typed, and else as the service wrote them", async () => {
    let start_time = '2033-07-01T07:00:00Z';
    const list = async (...more: string[]) => {
      answerWith(listOf([{ id: 'bkg_1', start_time }]), 'GET /v1/bookings');
      return (await line.ran(['bookings', 'list', ...more])).out;
    };
    expect(await list()).toContain('2033-07-01 09:00 (Europe/Madrid, UTC+2)');
    // Whoever comes may have another clock and another language.
    const person = { invitee_email: 'jun@example.com', invitee_timezone: 'Asia/Tokyo', locale: 'fr' as const };
    line.stage.sandbox.host.book({ ...person, start_time: '2034-07-03T07:00:00Z' });
    expect((await line.ran(['bookings', 'list', '--email', 'jun@example.com'])).out).toContain(
      '  2034-07-03 09:00 (Europe/Madrid, UTC+2)  ',
    );
    expect(await list('--time-zone', 'Asia/Kolkata')).toContain('2033-07-01 12:30 (Asia/Kolkata, UTC+5:30)');
    expect(await list('--json')).toContain('"2033-07-01T07:00:00Z"');
    // What is not known stands beside the result.
    const window = ['--from', '2033-07-01', '--to', '2033-07-02', '--time-zone', 'UTC'];
    expect((await line.ran(['bookings', 'busy', ...window])).said).toMatch(/ that were read\. .* may still be taken\.$/m);
    line.stage.sandbox.faults.add({ route: 'GET /v1/me', kind: 'status', status: 403, body: {} });
    expect(await list()).toContain('2033-07-01T07:00:00Z');
    start_time = '2033-07-01T07:00:00';
    expect(await list('--time-zone', 'Asia/Kolkata')).toMatch(/2033-07-01T07:00:00$/m);
  });

  test('prints what an operation adds, and the secret that is shown once', async () => {
    const { id } = await line.stage.client().bookings.create(line.stage.wanted);
    const cancel = async () => {
      const { out, said } = await line.ran(['bookings', 'cancel', '--booking-id', id, '--yes']);
      return [/^already_cancelled +(.*)$/m.exec(out)?.[1], said];
    };
    expect([await cancel(), await cancel()]).toEqual([
      ['false', ''],
      ['true', 'Nothing changed (already cancelled before this call).'],
    ]);
    const { out } = await line.ran(['subscriptions', 'create', '--url', 'http://127.0.0.1:9/hook', '--events', 'BOOKING_CREATED']);
    expect(out).toMatch(/^signing_secret +\S{10}/m);
    expect(out).toMatch(/^events +\["BOOKING_CREATED"\]$/m);
  });

  test('prints a record with the fields that people use, without empty ones; text that a stranger wrote moves no cursor', async () => {
    const name = 'Ada\u001b[2J\u0007\u202eLovelace';
    answerWith(listOf([{ id: 'con_1', name, notes: 'a\nb' }]));
    expect((await line.ran(['contacts', 'list'])).out).toBe('id     name              notes\ncon_1  Ada [2J Lovelace  a b');
    answerWith(oneOf({ id: 'con_1', name, email: 'ada@example.com', phone: null, notes: '', tags: ['a'] }), 'GET /v1/contacts/:id');
    const { out } = await line.ran(['contacts', 'get', '--contact-id', 'con_1']);
    expect(out).toBe('name   Ada [2J Lovelace\nemail  ada@example.com\nid     con_1');
  });
});

test('reads events as one text with commas or as several options, answers as JSON, and other values as they are', async () => {
  const create = ['subscriptions', 'create', '--url', 'http://127.0.0.1:9/hook'];
  await line.ran([...create, '--events', 'BOOKING_CREATED, BOOKING_CANCELLED', '--events', 'CONTACT_CREATED']);
  expect(line.stage.sandbox.subscriptions()).toMatchObject([{ events: ['BOOKING_CREATED', 'BOOKING_CANCELLED', 'CONTACT_CREATED'] }]);
  const asking = line.stage.sandbox.eventTypes().find(({ questions }) => questions.some(({ key }) => key === 'phone'));
  const question_responses = { phone: '+49 30 1234567', urgent: true };
  const event = { event_type_id: String(asking?.id), question_responses: JSON.stringify(question_responses) };
  const wanted = { ...line.stage.wanted, ...event, start_time: '2033-07-01T09:00', invitee_name: 'Ada_Augusta=King' };
  const zone = ['--time-zone', 'Europe/Berlin'];
  const { said, out } = await line.ran(['bookings', 'create', ...options(wanted), ...zone, '--notes=--as_written']);
  expect([said, out]).toEqual(['', expect.stringMatching(/start_time +2033-07-01 09:00 \(Europe\/Berlin, UTC\+2\)$/m)]);
  const booked = { question_responses, notes: '--as_written', invitee_name: 'Ada_Augusta=King', start_time: '2033-07-01T07:00:00.000Z' };
  expect(line.stage.bookingsOf(wanted.invitee_email)).toMatchObject([booked]);
});

test('reads answers one by one as well, because shells on Windows take the quotes out of JSON', async () => {
  const asking = line.stage.sandbox.eventTypes().find(({ questions }) => questions.some(({ key }) => key === 'phone'));
  const wanted = { ...line.stage.wanted, event_type_id: String(asking?.id) };
  const answers = ['phone=+49 30 1234567', 'urgent=yes'].flatMap((answer) => ['--question-responses', answer]);
  expect(await line.ran(['bookings', 'create', ...options(wanted), ...answers])).toMatchObject({ code: 0, said: '' });
  expect(line.stage.bookingsOf(wanted.invitee_email)).toMatchObject([{ question_responses: { phone: '+49 30 1234567', urgent: true } }]);
  const { out } = await line.ran(['bookings', 'create', '--help']);
  expect(out).toContain('--invitee-name "Ada Lovelace"');
});

describe('says what is wrong, and what to type instead', () => {
  const none = 'x'.repeat(41);
  test.each<[string[], string]>([
    [
      [none],
      `"${'x'.repeat(40)}" is not a command. There is bookings, contacts, event-types, users, subscriptions, login, status, logout, listen, trigger.`,
    ],
    [['contacts', 'lst'], 'Add what to do with contacts: get, list, search, find.'],
    [['contacts', '--json'], 'Add what to do with contacts: get, list, search, find.'],
    [['contacts', 'list', '--zzz'], 'There is no option --zzz. There is --json, --yes, --limit, --time-zone.'],
    [['bookings', 'list', '--limit', '0'], '--limit takes a whole number from 1.'],
    [['bookings', 'get', '--booking-id', 'bkg_1', '--limit', '1'], 'bookings get returns one record, so it takes no --limit.'],
    [['bookings', 'list', '--email', '--json'], '--email needs a value.'],
    [
      ['bookings', 'get', '--booking-id', '-V1StGXR8'],
      '--booking-id needs a value. If it begins with a dash, join both: --booking-id=-...',
    ],
    [['bookings', 'list', '--time-zone', 'Berlin'], '--time-zone is not a time zone such as Europe/Berlin: it is "Berlin".'],
    [['bookings', 'get', '--booking-id', 'a', '--booking-id', 'b'], '--booking-id was given twice. Give it once.'],
    [['bookings', 'list', '--json=false'], '--json takes no value.'],
    [['bookings', 'get', 'bkg_1'], 'Pass each value with its option: --booking-id, --json, --yes, --limit, '],
    [
      ['bookings', 'create', '--question-responses', '{company: Analytical Engines}'],
      '--question-responses takes an answer, such as --question-responses company="Analytical Engines", once for each question, or JSON.',
    ],
    [
      ['bookings', 'create', '--question-responses', 'company=X', '--question-responses', 'company=Y'],
      '--question-responses answers company twice. Join several choices with commas.',
    ],
    [['listen', '4040'], 'Pass each value with its option. See listen --help.'],
    [['listen', '--port', '65536'], '--port takes a port from 0 to 65535, not "65536".'],
    [['listen', '--url='], '--url takes an address with http:// or https://.'],
    [['listen', '--events', 'BOOKING_CREATED, BOOKING_MADE'], '--events takes the names of events: BOOKING_CREATED, '],
    [['login', 'me'], 'login takes no values. It asks for what it needs.'],
    [['trigger', 'BOOKING_MADE'], 'trigger takes one event: BOOKING_CREATED, '],
    [['trigger', 'BOOKING_CREATED', '--to', 'localhost:3000'], '--to takes an address with http:// or https://.'],
  ])('after %j', async (args, sentence) => {
    const { code, out, said } = await line.ran(args);
    expect([code, out]).toEqual([2, '']);
    expect(said.slice(0, sentence.length)).toBe(sentence);
    expect(said.endsWith(`\nSee ${program} --help.`)).toBe(true);
    untold();
  });

  test.each([
    ['bookings', 'list', '--access_token=my-secret'],
    ['login', '--client-secret', 'my-secret'],
  ])('a secret is never read from the command line, and never shown: %s %s %s', async (...args) => {
    const { code, out, said } = await line.ran(args);
    expect([code, said.includes('environment'), (out + said).includes('my-secret')]).toEqual([2, true, false]);
  });

  test('a field that is missing is named by its option', async () => {
    expect(await line.ran(['bookings', 'create', '--invitee-name', 'Ada', '--invitee-email', 'ada'])).toMatchObject({
      code: 1,
      said: '--event-type-id is required. --start-time is required. --invitee-email is not an email address: it is "ada". Correct them and run this again.',
    });
    untold();
  });

  test('a command that is given up ends with the reason', async () => {
    line.stage.sandbox.faults.add({ route: 'GET /v1/contacts', kind: 'stall' });
    const ran = line.ran(['contacts', 'list']);
    await until(() => line.stage.requestsTo('/v1/contacts').length > 0);
    line.over.abort(new Error('Stopped. Nothing was changed.'));
    expect(await ran).toEqual({ code: 1, out: '', said: 'Stopped. Nothing was changed.' });
  });

  test('the version and the help need nothing else', async () => {
    expect((await line.typed(['--version'])).out).toBe(manifest.version);
    const { out } = await line.typed([]);
    for (const args of [['help'], ['-h'], ['login', '-h']]) expect(await line.typed(args)).toEqual({ code: 0, out, said: '' });
    for (const command of ['listen', 'trigger <event>', 'bookings get']) {
      const help = await line.typed([...command.replace(' <event>', '').split(' '), '-h']);
      expect([help.code, help.said, help.out]).toEqual([0, '', expect.stringContaining(`${program} ${command}: `)]);
    }
    const contacts = await line.typed(['contacts', '--help']);
    expect([contacts.code, contacts.out]).toEqual([0, expect.stringMatching(/^(?: +contacts \w+ .*\n?){4}$/)]);
    untold();
  });
});

describe('the help', () => {
  test('the overview names every command with what it does', () => {
    const text = overview().replace(/ +/g, ' ');
    for (const { group, verb, operation } of commands) expect(text).toContain(`\n ${group} ${verb} ${operation.description}\n`);
    expect(text).toContain('\n SCHEDULING_FOLDER where the connection is kept, in a file that only you can read\n');
  });

  test('of a command names its options in two columns, and how it is called', () => {
    const find = commands.find(({ group, verb }) => `${group} ${verb}` === 'bookings cancel');
    expect(find && helpOn(find)).toBe(`${program} bookings cancel: Cancels a booking permanently

  --booking-id  The booking to cancel (required)
  --reason      Why the booking is cancelled

Example:
  ${program} bookings cancel --booking-id <booking-id>`);
  });
});

const application = () => ({
  SCHEDULING_CLIENT_ID: line.stage.application.clientId,
  SCHEDULING_CLIENT_SECRET: line.stage.application.clientSecret,
});
/** Types `login`, and allows access on the page whose address is shown. */
async function loggedIn(args: string[] = [], env: Record<string, string> = application()): Promise<Ran> {
  const redirect = `http://localhost:${await freePort()}/done`;
  line.stage.sandbox.allowRedirect(redirect);
  const login = line.typed(['login', ...args, '--redirect', redirect], env);
  await agree(await until(() => /http\S+oauth\/authorize\S+/.exec(line.said.join('\n'))?.[0]));
  return login;
}

describe('an account', () => {
  test('is connected over the consent page, used, and disconnected', async () => {
    const { code, out, said } = await loggedIn(['--no-browser']);
    expect([code, out]).toEqual([0, '']);
    expect(said).toMatch(/^Connected as Morgan Host \(morgan@host\.example\)\.$[^]*^Next: npx \S+ bookings list --upcoming$/m);
    expect(said).toContain(`are saved in ${join(line.folder, 'own', 'connection.json')}, which only your user can read.`);
    expect(said).not.toContain(line.stage.application.clientSecret);
    expect(line.opened).toEqual([]);
    expect(await line.typed(['status'])).toEqual({ code: 0, out: 'Connected as Morgan Host (morgan@host.example).', said: '' });
    expect(await line.typed(['logout'])).toEqual({ code: 0, out: '', said: 'Disconnected. The tokens are revoked and deleted.' });
    expect(await line.typed(['users', 'current'])).toEqual({
      code: 1,
      out: '',
      said: `No account is connected here. Run \`npx ${program} login\` in a terminal, then try again.`,
    });
  });

  test('is connected without a question where the maker has registered an application without a secret, and is renewed without one', async () => {
    const { sandbox } = line.stage;
    const redirect = `http://localhost:${await freePort()}/done`;
    const { id: publicClientId } = sandbox.addClient({ redirectUris: [redirect], secret: '' });
    jest.replaceProperty(brand, 'baseUrl', sandbox.baseUrl);
    jest.replaceProperty(brand, 'oauth', { publicClientId });
    // An empty variable counts as none.
    const env = { SCHEDULING_CLIENT_ID: '', SCHEDULING_CLIENT_SECRET: '', SCHEDULING_ACCESS_TOKEN: 'another' };
    const login = line.typed(['login', '--redirect', redirect], env);
    await agree(await until(() => line.opened[0]));
    expect((await login).said).toMatch(/Connected as Morgan Host[^]*The tokens are saved in[^]*SCHEDULING_ACCESS_TOKEN is set/);
    await sandbox.forward(3_700_000);
    expect((await line.typed(['status'])).out).toBe('Connected as Morgan Host (morgan@host.example).');
    expect(await line.typed(['logout'])).toMatchObject({ code: 0 });
    const sent = sandbox.requests().filter(({ path }) => path.startsWith('/api/oauth/'));
    expect(sent.map(({ body }) => Object.keys(body as object).filter((name) => name.startsWith('client_')))).toEqual(
      sent.map(() => ['client_id']),
    );
    expect(sent).toHaveLength(3);
    jest.restoreAllMocks();
    // The sandbox and other addresses do not know it: there, the person is asked.
    expect((await line.ran(['login'])).said).toContain('Client id (SCHEDULING_CLIENT_ID) is missing');
  });

  test('whose application the service no longer knows is connected again by the person who reads it', async () => {
    await loggedIn();
    await line.stage.sandbox.forward(3_700_000);
    const body = { error: 'invalid_client' };
    line.stage.sandbox.faults.add({ route: 'POST /api/oauth/token', kind: 'status', status: 401, body });
    expect((await line.typed(['status'])).said).toContain(
      `does not accept the client id and secret of this application. Run \`npx ${program} login\` in a terminal, then try again.`,
    );
    const { said } = await loggedIn([], { ...application(), SCHEDULING_CLIENT_SECRET: 'wrong' });
    expect(said).toMatch(/of this application\. [^]*Correct them, then connect again\.$/);
  });

  test('keeps what it could not settle for the next call', async () => {
    expect((await loggedIn()).code).toBe(0);
    const wanted = line.stage.wanted;
    line.stage.sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'delay-after', delayMs: 60_000 });
    const given = line.typed(['bookings', 'create', ...options(wanted)]);
    await until(() => line.stage.bookingsOf(wanted.invitee_email).length > 0);
    line.over.abort(new Error('Stopped. Nothing was changed.'));
    expect(await given).toMatchObject({ code: 1, said: expect.stringMatching(/may or may not have happened/) as unknown });
    line.stage.sandbox.forgetRequests();
    expect((await line.typed(['bookings', 'create', ...options(wanted)])).code).toBe(0);
    // It looked before it sent.
    expect(line.stage.sandbox.requests().map(({ method }) => method)[0]).toBe('GET');
    expect(line.stage.bookingsOf(wanted.invitee_email)).toHaveLength(1);
  });

  test('is one of several: each is connected under its name, used with it, and listed', async () => {
    for (const [name, ...more] of [[], ['work', '--account', 'work']] as string[][]) {
      expect((await loggedIn([...more, '--no-browser'])).code).toBe(0);
      if (name !== undefined) expect(line.said.join()).toContain(join('own', 'accounts', name, 'connection.json'));
    }
    const connected = 'Connected as Morgan Host (morgan@host.example).';
    expect((await line.typed(['status'])).out).toBe(`${connected}\n--account work: ${connected}`);
    expect((await line.typed(['logout'])).code).toBe(0);
    const used = [
      line.typed(['--account', 'work', 'users', 'current', '--json']),
      line.typed(['users', 'current', '--json', '--account=work']),
      line.typed(['users', 'current', '--json'], { SCHEDULING_ACCOUNT: 'work' }),
    ];
    for (const { code } of await Promise.all(used)) expect(code).toBe(0);
    expect(await line.typed(['status'])).toMatchObject({ code: 0, out: `--account work: ${connected}` });
    expect((await line.typed(['users', 'current'])).said).toMatch(/^No account is connected here\. Run `npx \S+ login`/);
    expect(await line.ran(['status', '--account', 'work'])).toMatchObject({
      code: 2,
      said: expect.stringContaining('is set, so the account "work"') as unknown,
    });
    expect(await line.typed(['status', '--account'])).toMatchObject({
      code: 2,
      said: expect.stringContaining('--account needs a value.') as unknown,
    });
  });

  test('is not connected where nothing can be saved: nobody is asked, and the folder is named', async () => {
    await writeFile(join(line.folder, 'file'), '');
    const folder = join(line.folder, 'file', 'own');
    const { code, said } = await line.typed(['login', '--no-browser'], { ...application(), SCHEDULING_FOLDER: folder });
    expect([code, said]).toEqual([
      1,
      `Nothing can be saved in ${folder} (ENOTDIR). Make it writable for your user, or set SCHEDULING_FOLDER to another folder and connect there.`,
    ]);
  });

  test('is not connected if nobody can be asked for its secrets, or nobody answers', async () => {
    const { code, said } = await line.ran(['login', '--']);
    const sentence =
      'Client id (SCHEDULING_CLIENT_ID) is missing, and there is no terminal to ask for it. Set it in the environment: see --help.';
    expect([code, said]).toEqual([1, sentence]);
    await inFrontOf(['id'], async () => {
      expect(await line.typed(['login'])).toEqual({ code: 1, out: '', said: 'Client secret (SCHEDULING_CLIENT_SECRET) is missing.' });
    });
    await expect(access(join(line.folder, 'own'))).rejects.toThrow('ENOENT');
  });
});

describe('with a token', () => {
  test('an answer that was lost is looked for by the next call, as the message advises, and one booking is made', async () => {
    const shortly = jest.spyOn(ownTime, 'sleep').mockImplementation(fastTime.sleep);
    const env = { SCHEDULING_ACCESS_TOKEN: line.stage.token() };
    const create = ['bookings', 'create', ...options(line.stage.wanted)];
    const made = () => line.stage.sandbox.bookings().filter(({ invitee_email }) => create.includes(invitee_email));
    line.stage.sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'drop-after' });
    line.stage.sandbox.faults.add({ route: 'GET /v1/bookings', kind: 'status', status: 503, times: 'always' });
    const lost = await line.ran(create, env);
    expect([lost.code, lost.said]).toEqual([1, expect.stringMatching(/Call it again with the same arguments: it is looked for first/)]);
    line.stage.sandbox.faults.clear();
    const folder = join(line.folder, 'own', 'token-writes');
    expect((await readdir(folder)).map((name) => name.replace(/^[a-f0-9]{64}\.json$/, 'a write'))).toEqual(['a write', 'a write']);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    const again = await line.ran([...create, '--json'], { ...env, SCHEDULING_BASE_URL: `${line.stage.sandbox.baseUrl}/` });
    expect([again.code, (JSON.parse(again.out) as { id: string }).id]).toEqual([0, made()[0]?.id]);
    expect([made().length, await readdir(folder)]).toEqual([1, []]);
    shortly.mockRestore();
  });

  test('another account can be connected, and its user is named', async () => {
    const other = line.stage.sandbox.addAccount({});
    const env = { ...application(), SCHEDULING_ACCESS_TOKEN: line.stage.token({ accountId: other.id }) };
    expect((await loggedIn([], env)).said).toContain('Connected as Morgan Host (morgan@host.example).');
  });
});

test('a wait that the rate limit asks for is announced', async () => {
  line.stage.sandbox.faults.add({ route: 'GET /v1/me', kind: 'status', status: 429, headers: { 'retry-after': '2' } });
  const { code, said } = await line.ran(['status']);
  expect([code, said]).toEqual([
    0,
    expect.stringMatching(/accepts no more requests for now\. Trying again in [23] s; Ctrl-C stops this\.$/),
  ]);
});
