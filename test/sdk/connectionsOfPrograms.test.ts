import { runCommand } from '../../tools/process/command.ts';
import { root } from '../../tools/root.cjs';
import { freePort } from '../../tools/process/freePort.ts';
import { serve } from '../support/serve.ts';

const program = (baseUrl: string): string =>
  `import { createClient } from './sdk/index.ts';
   console.log((await createClient({ auth: 'token', baseUrl: '${baseUrl}' }).users.current()).email);`;
const run = (text: string, env: Record<string, string> = {}) =>
  runCommand(process.execPath, ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', '--input-type=module', '--eval', text], {
    cwd: root,
    env: { NODE_OPTIONS: '', ...env },
  });
const user = JSON.stringify({ data: { id: 'usr_1', email: 'ada@example.com' } });

test('a client on Node.js does not keep a program running because of the connection that it keeps', async () => {
  const port = await serve((_, response) => void response.end(user));
  const { output } = await run(`${program(`http://127.0.0.1:${port}/api/v1`)}
    setImmediate(() => console.log(process.getActiveResourcesInfo().filter((name) => name.startsWith('TCP'))));`);
  expect(output.trim().split('\n')).toEqual(['ada@example.com', '[]']);
});

test('a client on Node.js is answered by what a test puts in place of the service', async () => {
  const { output } = await run(`import nock from 'nock';
    nock('https://service.example').get('/api/v1/me').reply(200, ${user});
    ${program('https://service.example/api/v1')}`);
  expect(output.trim()).toBe('ada@example.com');
});

test('a client on Node.js uses the proxy that Node.js uses', async () => {
  const asked: (string | undefined)[] = [];
  const port = await serve((request, response) => {
    asked.push(request.url);
    response.end(user);
  });
  const nobody = `http://127.0.0.1:${await freePort()}/api/v1`;
  const { output } = await run(program(nobody), {
    NODE_USE_ENV_PROXY: '1',
    HTTP_PROXY: `http://127.0.0.1:${port}`,
    NO_PROXY: '',
  });
  expect(output.trim()).toBe('ada@example.com');
  expect(asked).toEqual([`${nobody}/me`]);
});
