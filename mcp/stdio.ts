import type { Readable, Writable } from 'node:stream';
import type { Server } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';

/** Longer than any message. Bytes. */
const maxMessage = 10_000_000;

/** A process that serves the client that started it. */
export interface Serving {
  stdin: Readable;
  stdout: Writable;
  exit(code: number): void;
}

/** Serves one client over standard input and output, until its input ends. */
export function serveClient(makeServer: () => Server, log: (line: string) => void, own: Serving): void {
  const { stdin, stdout } = own;
  let hasGone = false;
  stdout.on('error', () => {
    // A client that has gone reads no more answers.
    hasGone = true;
    own.exit(0);
  });
  // The SDK listens once for each answer that is not yet read.
  stdout.setMaxListeners(0);
  const transport = new StdioServerTransport(stdin, stdout, { maxBufferSize: maxMessage });
  serveStdio(makeServer, { transport, onerror: ({ name }) => hasGone || log(`A message was not understood (${name}).`) });
}
