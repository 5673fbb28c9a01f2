import { execFile } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../tools/process/freePort.ts';
import { root } from '../../tools/root.cjs';

const run = promisify(execFile);

it('processes that look for ports at the same moment get different ones, none of which is used for outgoing connections', async () => {
  const program =
    "import { freePort } from './tools/process/freePort.ts'; for (let port = 0; port < 5; port += 1) console.log(await freePort());";
  const asked = await Promise.all(
    [1, 2, 3, 4, 5, 6].map(() => run(process.execPath, ['--input-type=module', '--eval', program], { cwd: join(root) })),
  );
  const ports = asked.flatMap(({ stdout }) => stdout.trim().split('\n').map(Number));
  expect(new Set(ports).size).toBe(30);
  for (const port of ports) expect(port).toBeLessThan(32_768);
});

it('a port on which somebody listens, on any address, is not given out', async () => {
  const servers = [];
  try {
    const seen = new Set<number>();
    for (const host of ['127.0.0.1', '0.0.0.0', undefined]) {
      const port = await freePort();
      seen.add(port);
      const server = createServer();
      servers.push(server);
      await new Promise<void>((resolve) => server.listen(port, host, resolve));
    }
    // Once through the whole block of this process.
    for (let count = 0; count < 40; count += 1) expect(seen).not.toContain(await freePort());
  } finally {
    for (const server of servers) server.close();
  }
});
