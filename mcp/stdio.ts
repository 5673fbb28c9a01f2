import type { Readable, Writable } from 'node:stream';
import type { McpRequestContext, Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Servers } from './adapter/server.ts';
import { DirectCalls } from './directCalls.ts';
import { Wire } from './wire.ts';

/** How much of all answers together a client may leave unread: more than it ever requests at once. Bytes. */
const mostUnread = 64_000_000;

/** How long a client that sends nothing more may take to read its answers. Milliseconds. */
const readingMs = 5_000;

/** A process that serves the client that started it. */
export interface Serving {
  stdin: Readable;
  stdout: Writable;
  exit(code: number): void;
}

/** Serves one client over standard input and output, until its input ends. */
export function serveClient({ make, call }: Servers, log: (line: string) => void, own: Serving): void {
  const { stdin, stdout } = own;
  // A client that has gone reads no more answers.
  stdout.on('error', () => own.exit(0));
  stdin.once('end', () => {
    let unread = stdout.writableLength;
    const look = (): void => {
      if (stdout.writableLength > 0 && stdout.writableLength === unread) own.exit(0);
      unread = stdout.writableLength;
    };
    // Unread answers keep this program running; the timer does not.
    setInterval(look, readingMs).unref();
  });
  let sent = 0;
  // Calls of the newer protocol say more than these understand. Calls before the first answer go through the SDK, so that it comes first.
  let sentBefore = Infinity;
  const wire: Wire = new Wire({
    input: stdin,
    output: stdout,
    takes: (message) => sent > sentBefore && calls.takes(message),
    sends: () => {
      sent += 1;
      // Unread answers collect in this process. A client that leaves this many has failed.
      if (stdout.writableLength <= mostUnread) return;
      log('The client no longer reads answers, so this program stops.');
      own.exit(1);
    },
    ended: () => calls.end(),
  });
  // A failed answer must not end the program: other calls may be in the middle of a booking.
  const calls = new DirectCalls(call, (message) => void wire.send(message).catch((error: Error) => wire.onerror?.(error)));
  const factory = ({ era }: McpRequestContext): Server => {
    sentBefore = era === 'legacy' ? sent : Infinity;
    return make();
  };
  serveStdio(factory, { transport: wire, onerror: ({ name }) => log(`A message was not understood (${name}).`) });
}
