import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * The number of ports of each process. A program takes its port seconds after it was found, so processes search different ranges: each of
 * Jest's workers, and beside it the programs that it starts, because it finds ports for them, too.
 */
const share = 375;
const first = 20_000 + share * (2 * (Number(process.env['JEST_WORKER_ID'] ?? 0) % 16) + ('expect' in globalThis ? 0 : 1));
const given = new Set<number>();

/**
 * A port of this machine on which nothing listens and that this process has not returned before. It is below the ports for outgoing
 * connections, so that none of these takes it before it is used.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(first, first + share);
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
}

/** Checks all addresses, because some programs listen on all of them. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((answer) => {
    const server = createServer();
    server.once('error', () => answer(false));
    server.listen(port, () => server.close(() => answer(true)));
  });
}
