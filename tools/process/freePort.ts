import { createServer } from 'node:net';

/** Below the ports that systems use for outgoing connections, so that none of these takes a port before it is used. */
const FIRST = 20_000;
const BLOCK = 40;
const BLOCKS = 300;

let next = Math.floor(Math.random() * BLOCK);

/**
 * A port of this machine that nothing listens on. Each process searches a block of its own, so that two processes that search at the
 * same moment, and only listen seconds later, do not get the same port.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < BLOCK * BLOCKS; tries += 1) {
    next += 1;
    // Searches this process's block from the start each time, and continues with the next block only if all of it is taken.
    const block = (process.pid + Math.floor(tries / BLOCK)) % BLOCKS;
    const port = FIRST + block * BLOCK + (next % BLOCK);
    if (await isFree(port)) return port;
  }
  throw new Error(
    `No port from ${FIRST} to ${FIRST + BLOCK * BLOCKS - 1} is free. Stop what listens there, and run the same command again.`,
  );
}

/** Checks all addresses, because some programs listen on all of them. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((answer) => {
    const server = createServer();
    server.once('error', () => answer(false));
    server.listen(port, () => server.close(() => answer(true)));
  });
}
