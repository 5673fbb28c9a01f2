import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
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
  const behind = await serve((_, response) => void response.end(user));
  const proxy = createServer().on('connect', ({ url }: IncomingMessage, client: Duplex) => {
    asked.push(url);
    const service = connect(behind, '127.0.0.1', () => client.write('HTTP/1.1 200 Connected\r\n\r\n'));
    client.pipe(service).pipe(client);
  });
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve));
  const nobody = `127.0.0.1:${await freePort()}`;
  const { output } = await run(program(`http://${nobody}/api/v1`), {
    NODE_USE_ENV_PROXY: '1',
    HTTP_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    NO_PROXY: '',
  });
  proxy.close();
  expect(output.trim()).toBe('ada@example.com');
  expect(asked).toEqual([nobody]);
});
