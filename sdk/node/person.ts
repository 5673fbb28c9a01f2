import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { spawn } from 'node:child_process';
import { copied } from '../../shared/values.ts';

/**
 * Asks a person in the terminal. A secret is not shown while it is typed.
 *
 * @throws an error with a message for people if there is no terminal
 */
export async function askPerson(question: string, { isSecret = false } = {}): Promise<string> {
  if (!process.stdin.isTTY)
    throw new Error(`${question} is missing, and there is no terminal to ask for it. Set it in the environment: see --help.`);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  // Created before the question is written, so that the terminal shows nothing even if someone types or pastes at once.
  const lines = createInterface({ input: process.stdin, output: isSecret ? silent : process.stderr, terminal: true });
  process.stderr.write(`${question}: `);
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('line', (line) => resolve(copied(line)));
      lines.once('close', () => reject(new Error(`${question} is missing.`)));
    });
  } finally {
    lines.close();
    if (isSecret) process.stderr.write('\n');
  }
}

/** Passes on each line that someone types, pastes or pipes into this program, until the signal aborts. */
export function eachLine(take: (line: string) => void, over: AbortSignal): void {
  // `terminal` turns on Node.js's line editing, because that of the terminal itself would cut long lines.
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: process.stdin.isTTY });
  lines.on('line', (line) => {
    if (line.trim() !== '') take(line);
  });
  // Ctrl-C ends the program, as it does when no input is read.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  over.addEventListener('abort', () => lines.close());
}

const waysToOpen: Partial<Record<NodeJS.Platform, string[]>> = { darwin: ['open'], win32: ['rundll32', 'url.dll,FileProtocolHandler'] };

/** Opens an address in the person's browser, if this machine has one. */
export function openInBrowser(address: string): void {
  const [program = '', ...args] = waysToOpen[process.platform] ?? ['xdg-open'];
  const opened = spawn(program, [...args, address], { stdio: 'ignore', detached: true });
  // Without a browser, the person opens the printed address.
  opened.once('error', () => undefined);
  opened.unref();
}
