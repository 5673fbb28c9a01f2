import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConnectionFile } from '../../sdk/node/connectionFile.ts';
import { connectionIn } from '../../sdk/node/connectionIn.ts';
import { fileStore } from '../../sdk/node/index.ts';
import { runCommand } from '../../tools/process/command.ts';
import { root } from '../../tools/root.cjs';
import type { Orders, Seen } from './connector.ts';
import { Stage } from './stage.ts';

let stage: Stage;
let folder: string;
beforeEach(async () => {
  stage = await Stage.open();
  folder = await mkdtemp(join(tmpdir(), 'sdk-'));
});
afterEach(async () => {
  await stage.close();
  await rm(folder, { recursive: true, force: true });
});

test('an access token that has expired is renewed once for four processes that share a file, and each is answered', async () => {
  const path = join(folder, 'tokens.json');
  const { access_token, refresh_token } = stage.sandbox.issueToken({ expiresInSeconds: -1 });
  await fileStore(path).write({ access_token, refresh_token });
  const at = (file: string): string => JSON.stringify(join(root, 'sdk', file));
  const program = `import { createClient } from ${at('index.ts')};
import { createOAuth } from ${at('oauth/index.ts')};
import { fileStore } from ${at('node/index.ts')};
const application = ${JSON.stringify(stage.application)};
const auth = createOAuth(application).connection(fileStore(${JSON.stringify(path)}));
const client = createClient({ auth, baseUrl: application.baseUrl });
const users = await Promise.all(Array.from({ length: 20 }, () => client.users.current()));
console.log(users.length, users.every(({ email }) => email === ${JSON.stringify(stage.sandbox.account.email)}));
`;
  const args = ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', '--input-type=module', '--eval', program];
  const ran = await Promise.all([1, 2, 3, 4].map(() => runCommand(process.execPath, args, { cwd: folder })));
  expect(ran.map(({ output }) => output.trim())).toEqual(Array.from({ length: 4 }, () => '20 true'));
  expect(stage.requestsTo('/api/oauth/token')).toHaveLength(1);
  expect(await readdir(folder)).toEqual(['tokens.json']);
});

describe.each<Orders['kind']>(['a store', 'the file of login'])('ten processes that connect, use and disconnect %s', (kind) => {
  const ten: ChildProcess[] = [];
  afterEach(() => {
    for (const each of ten.splice(0)) each.kill('SIGKILL');
  });

  test('never act as another account, bring back what was taken away, or leave anything behind', async () => {
    const issued = new Map<string, string>();
    for (let count = 0; count < 10; count += 1)
      ten.push(fork(join(root, 'test', 'sdk', 'connector.ts'), { execArgv: ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'] }));
    await Promise.all(ten.map((each) => once(each, 'message')));
    const ended = ten.map((each, index) => {
      const { id: accountId, email } = stage.sandbox.addAccount({ name: `Host ${index}`, email: `host-${index}@example.com` });
      const tokens = Array.from({ length: 6 }, (_, at) => {
        const { access_token, refresh_token } = stage.sandbox.issueToken({ accountId, ...(at % 3 === 2 && { expiresInSeconds: -1 }) });
        issued.set(access_token, at % 3 === 2 ? 'expired' : email);
        return { access_token, refresh_token };
      });
      each.send({ kind, folder, application: stage.application, tokens } satisfies Orders);
      return once(each, 'message').then(([seen]) => seen as Seen);
    });
    const seen = await Promise.all(ended);
    // On a busy machine a request may run out of time, which changes nothing.
    const errors = seen.flatMap((each) => each.errors);
    expect(errors.filter((error) => !/Nothing was done, .* did not answer the token request/.test(error))).toEqual([]);

    const owners = new Map<string, Set<string>>();
    for (const { connection, token, email } of seen.flatMap((each) => each.owners)) {
      // What is kept is never a token that was revoked. Only one that had expired before may be refused.
      if (email === undefined) expect(issued.get(token)).toBe('expired');
      else if (issued.has(token)) expect(email).toBe(issued.get(token));
      if (email !== undefined) owners.set(connection, (owners.get(connection) ?? new Set()).add(email));
    }
    expect(owners.size).toBeGreaterThan(10);
    expect([...owners.values()].filter(({ size }) => size !== 1)).toEqual([]);
    // A refresh token that was sent twice would be refused.
    expect(stage.requestsTo('/api/oauth/token').filter(({ status }) => status !== 200)).toEqual([]);

    const file = new ConnectionFile(folder, { connect: 'login', folder: 'FOLDER' });
    const path = kind === 'a store' ? join(folder, 'tokens.json') : file.path;
    const left = await readFile(path, 'utf8').catch(() => undefined);
    if (left !== undefined) await (kind === 'a store' ? stage.oauth().connection(fileStore(path)) : connectionIn(file)).disconnect();
    expect(await readdir(folder)).toEqual([]);
  });
});
