import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { help, loginCommand, loginCommandOf, programName, readOptions, type ProgramOptions } from '../../mcp/options.ts';
import manifest from '../../mcp/package.json' with { type: 'json' };
import type { Connect } from '../../mcp/program.ts';
import { ConnectionFile } from '../../sdk/node/connectionFile.ts';
import { openWritesIn } from '../../sdk/node/openWrites.ts';
import { settingsIn } from '../../sdk/node/settings.ts';
import { brand } from '../../shared/brand.ts';
import { allScopes } from '../../shared/oauth/oauth.ts';
import { pendingForMs } from '../../shared/writes/index.ts';
import { serve } from '../support/serve.ts';
import { until } from '../support/until.ts';
import { InProcess } from './inProcess.ts';
import { call, freeStart, somebody, Stage, textOf } from './stage.ts';

const ways = { connect: loginCommand, folder: 'SCHEDULING_MCP_FOLDER' };

describe('the options', () => {
  const read = (line: string, env: Record<string, string> = {}): ProgramOptions => readOptions(line === '' ? [] : line.split(' '), env);

  test('without any option it serves the client that started it, with all tools', () => {
    expect(read('', { SCHEDULING_FOLDER: join('of', 'user') })).toEqual({
      command: 'serve',
      isReadOnly: false,
      hasOutputSchemas: false,
      only: undefined,
      http: undefined,
      redirectUri: 'http://localhost:9000',
      opensBrowser: true,
      ...settingsIn({ SCHEDULING_FOLDER: join('of', 'user') }, ways),
    });
  });

  test.each<[string[], Partial<ProgramOptions>]>([
    [['serve'], { command: 'serve' }],
    [['login', '--help'], { command: 'help' }],
    [['-h'], { command: 'help' }],
    [['--version'], { command: 'version' }],
    [['--read-only'], { isReadOnly: true }],
    [['--tools=,get_booking,, create_booking,'], { only: ['get_booking', 'create_booking'] }],
    [['--http', '65535'], { http: { port: 65_535, key: undefined } }],
    [['login', '--redirect', 'http://localhost:8123/done'], { command: 'login', redirectUri: 'http://localhost:8123/done' }],
    [['login', '--no-browser'], { opensBrowser: false }],
  ])('%j is understood', (args, meant) => {
    expect(readOptions(args, {})).toMatchObject(meant);
  });

  test.each([
    ['login now', '"login now" is not a command. See'],
    ['toString', '"toString" is not a command. See'],
    ['--read-olny', 'There is no option --read-olny. There is --read-only, '],
    ['--tools=,', '--tools takes the names of tools, separated by commas.'],
    ['--http 65536', '--http takes a port from 0 to 65535, not "65536".'],
    ['--http 1e3', '--http takes a port from 0 to 65535, not "1e3".'],
    ['--http=', '--http takes a port from 0 to 65535, not "".'],
  ])('"%s" is refused in a sentence', (line, sentence) => {
    expect(() => read(line)).toThrow(sentence);
  });

  test.each([
    ['SCHEDULING_ACCESS_TOKEN', '${TOKEN}'],
    ['SCHEDULING_ACCESS_TOKEN', '${env:TOKEN}'],
    ['SCHEDULING_CLIENT_ID', '${user_config.client_id}'],
    ['SCHEDULING_ACCESS_TOKEN', 'Bearer $TOKEN'],
    ['SCHEDULING_CLIENT_SECRET', '{{secret}}'],
    ['SCHEDULING_ACCESS_TOKEN', '%SCHEDULING_TOKEN%'],
    ['SCHEDULING_MCP_FOLDER', '${HOME}/bookings'],
    ['SCHEDULING_MCP_FOLDER', '$HOME/bookings'],
    ['SCHEDULING_FOLDER', 'C:\\Users\\%USERNAME%\\bookings'],
    ['APPDATA', '${APPDATA}'],
    ['SCHEDULING_BASE_URL', '$SCHEDULING_URL'],
  ])('%s is not %s, which a client has not filled in', (name, value) => {
    expect(() => read('', { [name]: value })).toThrow(
      `${name} is ${value}, which the program that started this one has not filled in. Put the value itself there, or leave it out.`,
    );
  });

  test('a token or a secret may hold such a mark', () => {
    const own = { SCHEDULING_CLIENT_SECRET: 'x${a}%b%', SCHEDULING_CLIENT_ID: '$a1' };
    expect(read('', own)).toMatchObject({ clientSecret: 'x${a}%b%', clientId: '$a1' });
  });

  test.each<[line: string, env: Record<string, string>, folder: string]>([
    ['', { SCHEDULING_MCP_FOLDER: 'own', SCHEDULING_FOLDER: 'named' }, 'own'],
    ['--account work', { SCHEDULING_FOLDER: 'named' }, join('named', 'accounts', 'work')],
  ])('after "%s" with %j, the connection is in %s, as for the command line', (line, given, folder) => {
    expect(read(line, given).file.folder).toBe(folder);
  });

  test('an account is not named like another folder, and not chosen beside a token', () => {
    for (const name of ['..', '.', 'a/b', 'a\\b', ' ', 'a.'])
      expect(() => readOptions(['--account', name], {})).toThrow(
        'The name of an account consists of letters, digits and . _ - + @, such as work',
      );
    expect(() => read('--account work', { SCHEDULING_ACCESS_TOKEN: 'a token' })).toThrow(
      'SCHEDULING_ACCESS_TOKEN is set, so the account "work" would not be used. Remove one of them.',
    );
  });

  test('the help names every option, every variable and the permissions', () => {
    const options = ['--account', '--read-only', '--tools', '--output-schemas', '--http', '--redirect', '--no-browser'];
    const variables = ['ACCESS_TOKEN', 'CLIENT_ID', 'CLIENT_SECRET', 'BASE_URL', 'MCP_FOLDER', 'MCP_KEY'].map(
      (name) => `SCHEDULING_${name}`,
    );
    for (const named of [...options, ...variables, allScopes, `${programName} login`, `${programName} logout`])
      expect(help).toContain(named);
  });
});

let stage: Stage;
beforeEach(async () => void (stage = await Stage.open()));
afterEach(() => stage.close());

const env = (more: Record<string, string> = {}) => ({ SCHEDULING_MCP_FOLDER: stage.file.folder, ...more });

describe('a command', () => {
  test.each([
    ['--help', `${help}\n`],
    ['--version', `${manifest.version}\n`],
  ])('%s is answered on standard output', async (option, text) => {
    const own = new InProcess([option], env());
    await own.run();
    expect([own.written, own.exitCode]).toEqual([{ out: text, said: '' }, undefined]);
  });

  test.each<[string[], string, Connect | undefined]>([
    [['lgoin'], '"lgoin" is not a command. ', undefined],
    [['login'], 'It broke.', () => Promise.reject(new Error('It broke.'))],
    [['--tools', 'create_meeting'], 'There is no tool "create_meeting".', undefined],
  ])('that fails says so: %j', async (args, said, connect) => {
    const own = new InProcess(args, env());
    await own.run(connect);
    expect([own.written, own.exitCode]).toEqual([{ out: '', said: expect.stringContaining(said) as string }, 1]);
  });
});

describe('several accounts', () => {
  test('are listed, each under its name, and one of them is chosen', async () => {
    const other = stage.sandbox.addAccount({ name: 'Ada', email: 'ada@host.example' });
    const work = new ConnectionFile(stage.file.folder, ways, 'work');
    await work.write({ ...stage.file.read(), tokens: stage.sandbox.issueToken({ accountId: other.id }) });
    const said = async (...args: string[]) => {
      const own = new InProcess(args, env());
      await own.run();
      const { out, said: told } = own.written;
      return out + told;
    };
    const [first, second] = ['Connected as Morgan Host (morgan@host.example).', 'Connected as Ada (ada@host.example).'];
    expect(await said('status')).toBe(`${first}\n--account work: ${second}\n`);
    expect(await said('status', '--account', 'work')).toBe(`${second}\n`);
    expect(await said('logout', '--account', 'work')).toBe('Disconnected. The tokens are revoked and deleted.\n');
    expect(await said('status')).toBe(`${first}\n`);
    expect(await said('status', '--account', 'work')).toBe(
      `No account is connected here as "work". Run \`${loginCommand} --account work\` in a terminal, then try again.\n`,
    );
  });

  test('each has a folder of its own, and the next step of its login names it', async () => {
    const connect = jest.fn<ReturnType<Connect>, Parameters<Connect>>(() => Promise.resolve());
    await new InProcess(['login', '--account', 'work'], env()).run(connect);
    const [file, connecting] = connect.mock.calls[0] ?? [];
    expect([file?.folder, connecting?.takesPaste]).toEqual([join(stage.file.folder, 'accounts', 'work'), true]);
    expect(connecting?.next).toContain(JSON.stringify({ command: 'npx', args: ['-y', programName, '--account', 'work'] }));
  });
});

describe('a token from the environment', () => {
  const given = (token: string) => ({ SCHEDULING_ACCESS_TOKEN: token, SCHEDULING_BASE_URL: stage.sandbox.baseUrl });
  const current = async (token: string) => {
    const client = await stage.client((await serving([], given(token))).address);
    return call(client, 'get_current_user');
  };

  test('is used instead of the connection', async () => {
    const other = stage.sandbox.addAccount({ name: 'Ada', email: 'ada@host.example' });
    const { access_token } = stage.sandbox.issueToken({ accountId: other.id });
    expect((await current(access_token)).structuredContent).toMatchObject({ email: 'ada@host.example' });
    const own = new InProcess(['status'], env(given(access_token)));
    await own.run();
    expect(own.written.out).toBe('Connected as Ada (ada@host.example).\n');
  });

  test('that is not valid any more is named, and nobody is asked to connect an account', async () => {
    const connect = jest.fn();
    const { access_token } = stage.sandbox.issueToken({ expiresInSeconds: -1 });
    expect(textOf(await current(access_token))).toBe(
      `${brand.name} did not accept the token in SCHEDULING_ACCESS_TOKEN. Set a new token. If it is new, check that no proxy or firewall is in between.`,
    );
    expect(connect).not.toHaveBeenCalled();
  });
});

const serving = async (args: readonly string[] = [], more: Record<string, string> = {}) => {
  const own = new InProcess(['--http', '0', ...args], env(more));
  await own.run();
  const { said } = own.written;
  const address = /^Serving at (http:\S+\/mcp)/.exec(said)?.[1] ?? '';
  const stop = async (): Promise<void> => {
    own.emit('SIGTERM');
    await until(() => own.exits.length > 0);
  };
  stage.later(stop);
  return { own, said, address, stop };
};

describe('over HTTP', () => {
  test('it says where it serves and to whom, offers what was chosen, and ends when it is told to', async () => {
    const { own, said, address, stop } = await serving(['--read-only', '--tools', 'get_booking,create_booking']);
    expect(said).toBe(`Serving at ${address}. Every program on this machine can use it. Set SCHEDULING_MCP_KEY to require a key.\n`);
    const client = await stage.client(address);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['get_booking']);
    expect(client.getServerVersion()).toMatchObject({ version: manifest.version });
    await client.close();
    await stop();
    expect(own.exits).toEqual([0]);
    await expect(fetch(address)).rejects.toThrow();
  });

  test('with a key it says that it needs one, and not which', async () => {
    const { said, address } = await serving([], { SCHEDULING_MCP_KEY: 'a long key' });
    expect(said).toBe(`Serving at ${address}, to callers with the key.\n`);
    expect((await fetch(address, { method: 'POST' })).status).toBe(401);
  });

  test('a port that is taken is named', async () => {
    const port = await serve(() => undefined);
    const own = new InProcess(['--http', String(port)], env());
    await own.run();
    expect([own.written.said, own.exitCode]).toEqual([`Port ${port} is taken. Choose another with --http.\n`, 1]);
  });
});

describe('while it serves', () => {
  test('another account that is connected is served at the next call, and the time zone is its own', async () => {
    const client = await stage.client((await serving()).address);
    const asked = async (name: string, given = {}) => (await call(client, name, given)).structuredContent;
    const booked = async () => {
      const { records } = (await asked('list_event_types')) as { records: { id: string; name: string }[] };
      const event_type_id = records.find(({ name }) => name === stage.coffee.name)?.id;
      return asked('create_booking', { event_type_id, start_time: freeStart(), invitee_name: 'Ada', invitee_email: somebody() });
    };
    expect(await booked()).toMatchObject({ host_timezone: stage.sandbox.account.timezone });
    const { next_cursor: cursor } = (await asked('list_contacts', { limit: 1 })) as Record<string, unknown>;
    const other = stage.sandbox.addAccount({ timezone: 'Asia/Tokyo' });
    await stage.connect({ accountId: other.id });
    expect(await booked()).toMatchObject({ host_timezone: 'Asia/Tokyo' });
    expect(textOf(await call(client, 'list_contacts', { cursor }))).toContain('"cursor" does not come from the last page of this list');
    expect(await asked('get_current_user')).toMatchObject({ email: other.email });
  });

  test('it remembers nothing of a write that is older than a day', async () => {
    const folder = stage.file.openWrites(stage.file.read());
    await openWritesIn(folder).set('old', {});
    const [name = ''] = await readdir(folder);
    const written = new Date(Date.now() - pendingForMs - 60_000);
    await utimes(join(folder, name), written, written);
    await call(await stage.client((await serving()).address), 'get_current_user');
    await until(async () => (await readdir(folder)).length === 0);
  });
});

test.each([
  ['/home/ada/mcp/dist/main.js', 'node "/home/ada/mcp/dist/main.js" login'],
  ['/home/ada/.npm/_npx/1/node_modules/.bin/our-mcp', `npx ${programName} login`],
  ['/app/node_modules/our-mcp/dist/main.js', `npx ${programName} login`],
  [undefined, `npx ${programName} login`],
])('a program that runs as %s is connected with %s', (program, command) => expect(loginCommandOf(program)).toBe(command));
