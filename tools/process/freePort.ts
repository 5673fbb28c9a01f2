import { createServer } from 'node:net';

/** Below the ports that systems give to outgoing connections: none of those takes one between being found here and being listened on. */
const FIRST = 20_000;
const BLOCK = 40;
const BLOCKS = 300;

let next = Math.floor(Math.random() * BLOCK);

/**
 * A port of this machine that nobody listens on. Each process looks through a block of its own, so that two that ask at the same moment, and
 * listen seconds later, are not given the same one.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < BLOCK * BLOCKS; tries += 1) {
    next += 1;
    // The block of this process over and over; the next one only where all of it is taken.
    const block = (process.pid + Math.floor(tries / BLOCK)) % BLOCKS;
    const port = FIRST + block * BLOCK + (next % BLOCK);
    if (await isFree(port)) return port;
  }
  throw new Error(
    `No port from ${FIRST} to ${FIRST + BLOCK * BLOCKS - 1} is free. Stop what listens there, and run the same command again.`,
  );
}

/** On any address: some programs listen on all of them. */
function isFree(port: number): Promise<boolean> {
  return new Promise((answer) => {
    const server = createServer();
    server.once('error', () => answer(false));
    server.listen(port, () => server.close(() => answer(true)));
  });
}
