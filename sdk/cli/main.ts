import { openInBrowser } from '../node/browser.ts';
import { runProgram } from './program.ts';

/** The first Ctrl-C cancels the running command, which then reports its result. The second ends the program. */
function givenUp(): AbortSignal {
  const over = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => over.abort(new Error('Stopped. Nothing was changed.')));
  return over.signal;
}

void runProgram(process.argv.slice(2), {
  env: process.env,
  print: (text) => void process.stdout.write(`${text}\n`),
  say: (text) => void process.stderr.write(`${text}\n`),
  givenUp,
  openInBrowser,
}).then((code) => (process.exitCode = code));
