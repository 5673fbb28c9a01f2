import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileStore } from '../../sdk/node/index.ts';
import { runCommand } from '../../tools/process/command.ts';
import { root } from '../../tools/root.cjs';
import { Stage } from './stage.ts';

let stage: Stage;
let folder: string;
beforeAll(async () => {
  stage = await Stage.open();
  folder = await mkdtemp(join(tmpdir(), 'sdk-'));
});
afterAll(async () => {
  await stage.close();
  await rm(folder, { recursive: true, force: true });
});

test('an access token that has expired is renewed once for four processes that share a file, and each is answered', async () => {
  const path = join(folder, 'tokens.json');
  const { access_token, refresh_token } = stage.sandbox.issueToken({ expiresInSeconds: -1 });
  await fileStore(path).write({ access_token, refresh_token });
  const program = join(folder, 'program.mjs');
  const at = (file: string): string => JSON.stringify(join(root, 'sdk', file));
  await writeFile(
    program,
    `import { createClient } from ${at('index.ts')};
import { createOAuth } from ${at('oauth/index.ts')};
import { fileStore } from ${at('node/index.ts')};
const application = ${JSON.stringify(stage.application)};
const auth = createOAuth(application).connection(fileStore(${JSON.stringify(path)}));
const client = createClient({ auth, baseUrl: application.baseUrl });
const users = await Promise.all(Array.from({ length: 20 }, () => client.users.current()));
console.log(users.length, users.every(({ email }) => email === ${JSON.stringify(stage.sandbox.account.email)}));
`,
  );
  const ran = await Promise.all(
    [1, 2, 3, 4].map(() => runCommand(process.execPath, ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', program], { cwd: folder })),
  );
  expect(ran.map(({ output }) => output.trim())).toEqual(Array.from({ length: 4 }, () => '20 true'));
  expect(stage.requestsTo('/api/oauth/token')).toHaveLength(1);
  expect((await readdir(folder)).sort()).toEqual(['program.mjs', 'tokens.json']);
});
