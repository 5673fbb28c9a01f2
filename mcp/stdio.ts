import type { JSONRPCMessage, Server } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';

/** What may lie unread by the client, of all answers together: more than it ever asks for at a time. Bytes. */
const mostUnread = 64_000_000;

/** How long a client that sends nothing more may take over the answers that it has not read. Milliseconds. */
const readingMs = 5_000;

/** Answers that nobody reads pile up in this process: a client that leaves that many is one that has failed. */
class Wire extends StdioServerTransport {
  override send(message: JSONRPCMessage): Promise<void> {
    if (process.stdout.writableLength > mostUnread) end(1, 'The client no longer reads answers, so this program stops.');
    return super.send(message);
  }
}

function end(code: number, line?: string): never {
  if (line !== undefined) process.stderr.write(`${line}\n`);
  process.exit(code);
}

/** Serves one client over standard input and output, until its input ends. */
export function serveClient(factory: () => Server, log: (line: string) => void): void {
  const { stdin, stdout } = process;
  // A client that is gone takes no more answers.
  stdout.on('error', () => end(0));
  // One that waits for each answer to be read, and that is no leak.
  stdout.setMaxListeners(0);
  stdin.once('end', () => {
    let unread = stdout.writableLength;
    const look = (): void => {
      if (stdout.writableLength > 0 && stdout.writableLength === unread) end(0);
      unread = stdout.writableLength;
    };
    // What is still to be read keeps this program running, and this does not.
    setInterval(look, readingMs).unref();
  });
  serveStdio(factory, { transport: new Wire(), onerror: ({ name }) => log(`A message was not understood (${name}).`) });
}
