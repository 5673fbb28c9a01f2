import type { Client } from '../client/api/methods.ts';
import { isServiceError } from '../errors.ts';
import { connectPerson } from '../node/connectPerson.ts';
import { connectionIn } from '../node/connectionIn.ts';
import manifest from '../package.json' with { type: 'json' };
import { helpOn, overview, program } from './help.ts';
import { listen, listenHelp, readListening } from './listen.ts';
import { readLogin } from './login.ts';
import { commandFor, Misuse, readCommand } from './read.ts';
import { clientFor, run } from './run.ts';
import { settingsIn } from '../node/settings.ts';

const print = (text: string): void => void process.stdout.write(`${text}\n`);
const say = (text: string): void => void process.stderr.write(`${text}\n`);

/** The first Ctrl-C cancels the running command, which then reports its result. The second ends the program. */
function givenUp(): AbortSignal {
  const over = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => over.abort(new Error('Stopped. Nothing was changed.')));
  return over.signal;
}

async function main([first, ...rest]: string[]): Promise<void> {
  const wantsHelp = rest.includes('--help') || rest.includes('-h');
  if (first === undefined || first === 'help' || first === '--help' || first === '-h') return print(overview());
  if (first === '--version') return print(manifest.version);
  const settings = settingsIn(process.env);
  switch (first) {
    case 'login':
      return wantsHelp ? print(overview()) : connectPerson(settings.file, { ...settings, ...readLogin(rest), say });
    case 'logout':
      if (wantsHelp) return print(overview());
      await connectionIn(settings.file).disconnect();
      return say('Disconnected. The tokens are revoked and deleted.');
    case 'listen':
      if (wantsHelp) return print(listenHelp);
      return listen(clientFor(settings, undefined) as unknown as Client, readListening(rest), { signal: givenUp(), print, say });
  }
  const [verb, ...options] = rest;
  const command = commandFor(first, verb?.startsWith('-') === true ? undefined : verb);
  if (wantsHelp) return print(helpOn(command));
  print(await run(readCommand(command, options), settings, givenUp()));
}

main(process.argv.slice(2)).catch((error: unknown) => {
  say(isServiceError(error) ? error.sentence : error instanceof Error ? error.message : String(error));
  if (error instanceof Misuse) say(`See ${program} --help.`);
  process.exitCode = error instanceof Misuse ? 2 : 1;
});
