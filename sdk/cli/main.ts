import { openInBrowser } from '../node/person.ts';
import { runProgram } from './program.ts';

const over = new AbortController();

// The first Ctrl-C, or closing the terminal, cancels the running command, which then reports its result. A second one ends the program.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(name, () => over.abort(new Error('Stopped. Nothing was changed.')));

// If the reader of the output has closed it, as `head` does, the command ends as with Ctrl-C, so that it deletes what it created for this
// run. Any other reason, such as a full disk, means that the result is incomplete.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => {
    over.abort(new Error(`The output was closed (${code}).`));
    if (code === 'EPIPE') return;
    process.exitCode = 1;
    if (stream === process.stdout) process.stderr.write(`The output could not be written (${code}).\n`);
  });

void runProgram(process.argv.slice(2), {
  env: process.env,
  print: (text) => void process.stdout.write(`${text}\n`),
  say: (text) => void process.stderr.write(`${text}\n`),
  signal: over.signal,
  openInBrowser,
}).then((code) => (process.exitCode ||= code));
