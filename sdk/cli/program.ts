import type { Client } from '../client/api/methods.ts';
import { isServiceError } from '../errors.ts';
import { connectPerson, loginOptions, statusOf, type NamedUser } from '../node/login.ts';
import { connectionIn, type ConnectionFile } from '../node/connectionFile.ts';
import { chooseAccount, settingsIn, type Env } from '../node/settings.ts';
import { copied, errorWords } from '../../shared/values.ts';
import { helpOn, helpOnGroup, overview, program } from './help.ts';
import { listen, listenHelp, readListening } from './listen.ts';
import { Misuse, readOptions } from '../node/options.ts';
import { commandFor, readCommand } from './commands.ts';
import { clientFor, run } from './run.ts';
import { readTrigger, trigger, triggerHelp } from './trigger.ts';
import manifest from '../package.json' with { type: 'json' };

/** What the program needs from its process. */
export interface Surroundings {
  env: Env;
  /** Takes the result. */
  print: (text: string) => void;
  /** Takes everything else that the person should know. */
  say: (text: string) => void;
  /** Aborts when the person stops the command. */
  signal: AbortSignal;
  openInBrowser: (address: string) => void;
}

/**
 * Runs the command that was typed.
 *
 * @returns the exit code: 0, 1 if the command failed, or 2 if it was typed wrongly
 */
export async function runProgram(args: readonly string[], surroundings: Surroundings): Promise<number> {
  try {
    await runArguments(args, surroundings);
    return 0;
  } catch (error) {
    const { say } = surroundings;
    say(isServiceError(error) ? error.sentence.replaceAll(/"(--[a-z-]+)"/g, '$1') : errorWords(error));
    if (!(error instanceof Misuse)) return 1;
    say(`See ${program} --help.`);
    return 2;
  }
}

const help: Readonly<Record<string, string>> = { listen: listenHelp, trigger: triggerHelp };

const ownCommands = ['login', 'status', 'logout', 'listen', 'trigger'];

async function runArguments(args: readonly string[], { env: given, print, say, signal, openInBrowser }: Surroundings): Promise<void> {
  const {
    args: [first, ...rest],
    env,
  } = chooseAccount(args, given);
  const wantsHelp = rest.includes('--help') || rest.includes('-h');
  if (first === undefined || first === 'help' || first === '--help' || first === '-h') return print(overview());
  if (first === '--version') return print(manifest.version);
  if (wantsHelp && ownCommands.includes(first)) return print(help[first] ?? overview());
  const settings = settingsIn(env);
  const client = (of = settings): Client => clientFor(of, undefined, say);
  const userOf = (file: ConnectionFile, accessToken?: string): Promise<NamedUser> =>
    client({ ...settings, file, accessToken }).users.current({}, { signal });
  if ((first === 'status' || first === 'logout') && rest.length > 0) throw new Misuse(`${first} takes no options.`);
  switch (first) {
    case 'login':
      return connectPerson(settings.file, {
        ...settings,
        ...readLogin(rest),
        openInBrowser,
        say,
        takesPaste: true,
        signal,
        readUser: () => userOf(settings.file),
        next: `Next: npx ${program} bookings list --upcoming`,
      });
    case 'status':
      return print(await statusOf(settings, userOf));
    case 'logout':
      await connectionIn(settings.file).disconnect();
      return say('Disconnected. The tokens are revoked and deleted.');
    case 'listen':
      return listen(client(), readListening(rest), { signal, print, say });
    case 'trigger':
      return print(await trigger(readTrigger(rest), env, signal));
  }
  const [verb, ...options] = rest;
  const named = verb?.startsWith('-') === true ? undefined : verb;
  if (wantsHelp && named === undefined && helpOnGroup(first) !== '') return print(helpOnGroup(first));
  const command = commandFor(first, named);
  if (wantsHelp) return print(helpOn(command));
  print(await run(readCommand(command, options), settings, signal, say));
}

/** @throws Misuse */
function readLogin(args: readonly string[]): { redirectUri: string; opensBrowser: boolean } {
  const { values, positionals } = readOptions(args, loginOptions);
  if (positionals.length > 0) throw new Misuse('login takes no values. It asks for what it needs.');
  return { redirectUri: copied(values.redirect), opensBrowser: !values['no-browser'] };
}
