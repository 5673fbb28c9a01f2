import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { help, programName, readOptions, type Options } from '../../mcp/options.ts';
import { settingsIn } from '../../sdk/node/settings.ts';
import { brand } from '../../shared/brand.ts';
import { allScopes } from '../../shared/oauth/oauth.ts';

const read = (line: string, env: Record<string, string> = {}): Options => readOptions(line === '' ? [] : line.split(' '), env);

test('without any option it serves the client that started it, with all tools', () => {
  expect(read('', { XDG_CONFIG_HOME: join('of', 'user') })).toEqual({
    command: 'serve',
    isReadOnly: false,
    hasOutputSchemas: false,
    only: undefined,
    http: undefined,
    redirectUri: 'http://localhost:9000',
    opensBrowser: true,
    folder: join('of', 'user', brand.slug),
    baseUrl: brand.baseUrl,
    clientId: undefined,
    clientSecret: undefined,
  });
});

test.each<[string[], Partial<Options>]>([
  [['serve'], { command: 'serve' }],
  [['login', '--help'], { command: 'help' }],
  [['-h'], { command: 'help' }],
  [['--version'], { command: 'version' }],
  [['--read-only'], { isReadOnly: true }],
  [['--tools=,get_booking,, create_booking,'], { only: ['get_booking', 'create_booking'] }],
  [['--http', '65535'], { http: { port: 65_535, key: undefined } }],
  [['login', '--redirect', 'http://localhost:8123/done'], { command: 'login', redirectUri: 'http://localhost:8123/done' }],
  [['login', '--no-browser'], { opensBrowser: false }],
])('%j', (args, meant) => {
  expect(readOptions(args, {})).toMatchObject(meant);
});

test.each([
  ['login now', '"login now" is not a command. See'],
  ['toString', '"toString" is not a command. See'],
  ['--read-olny', 'Did you mean --read-only?'],
  ['--http 65536', '--http takes a port from 0 to 65535, not "65536".'],
  ['--http 1e3', '--http takes a port from 0 to 65535, not "1e3".'],
  ['--http=', '--http takes a port from 0 to 65535, not "".'],
])('"%s" is refused in a sentence', (line, sentence) => {
  expect(() => read(line)).toThrow(sentence);
});

test('the environment names the application, the service, the folder and the key', () => {
  const env = {
    SCHEDULING_CLIENT_ID: 'the id',
    SCHEDULING_CLIENT_SECRET: 'the secret',
    SCHEDULING_BASE_URL: 'https://other.example/v1',
    SCHEDULING_MCP_FOLDER: 'the folder',
    SCHEDULING_MCP_KEY: 'the key',
  };
  const named = {
    clientId: 'the id',
    clientSecret: 'the secret',
    baseUrl: 'https://other.example/v1',
    folder: 'the folder',
    http: { key: 'the key' },
  };
  expect(read('--http 0', env)).toMatchObject(named);
  const none = Object.fromEntries(Object.keys(env).map((name) => [name, '']));
  expect(read('--http 0', none)).toEqual(read('--http 0'));
});

test('the connection is that of the command line; one of version 1, in a folder of its own, is used until it is deleted', async () => {
  for (const env of [{ XDG_CONFIG_HOME: 'config' }, { SCHEDULING_FOLDER: 'named', XDG_CONFIG_HOME: 'config' }])
    expect(read('', env).folder).toBe(settingsIn(env).file.folder);
  const config = await mkdtemp(join(tmpdir(), 'config-'));
  try {
    const former = join(config, programName);
    await mkdir(former);
    expect(read('', { XDG_CONFIG_HOME: config }).folder).toBe(join(config, brand.slug));
    await writeFile(join(former, 'connection.json'), '{}');
    expect(read('', { XDG_CONFIG_HOME: config }).folder).toBe(former);
  } finally {
    await rm(config, { recursive: true });
  }
});

test('the help names every option, every variable and the permissions', () => {
  const options = ['--read-only', '--tools', '--output-schemas', '--http', '--redirect', '--no-browser'];
  const variables = ['CLIENT_ID', 'CLIENT_SECRET', 'BASE_URL', 'MCP_FOLDER', 'MCP_KEY'].map((name) => `SCHEDULING_${name}`);
  for (const named of [...options, ...variables, allScopes, `${programName} login`, `${programName} logout`]) expect(help).toContain(named);
});
