import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { checkBetween } from '../../shared/generalAdvice.ts';
import { ServiceError } from '../../shared/serviceError.ts';
import { brand, publicClientId } from '../../shared/brand.ts';
import { checkBaseUrl } from '../../shared/client/baseUrl.ts';
import type { PendingStore } from '../../shared/writes/index.ts';
import type { Authorization } from '../client/options.ts';
import { ConnectionFile, connectionIn, type Ways } from './connectionFile.ts';
import { clearUp, openWritesIn } from './openWrites.ts';
import { Misuse, readOptions } from './options.ts';
import { copied } from '../../shared/values.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/** Settings from the environment, for the command line and for scripts that use its connection. */
export interface Settings {
  file: ConnectionFile;
  accessToken: string | undefined;
  baseUrl: string;
  clientId: string | undefined;
  /** Empty for an application that has none; `undefined` if it is not known. */
  clientSecret: string | undefined;
}

/** A placeholder as clients, shells and templates write it. Some pass it on unreplaced from their own settings. */
const variable = /\$\{[^{}]*\}|\{\{[^{}]*\}\}|%[A-Z_][A-Z0-9_]*%|\$[A-Z_][A-Z0-9_]*\b/;

/**
 * A value that someone has copied into the environment; `undefined` if there is none.
 *
 * @param isPlace whether a placeholder anywhere in the value is refused: a token may contain such characters, but of paths only one that
 *   exists, such as that of a user who is called that
 * @throws Misuse if the value is a placeholder that nobody has filled in
 */
export function copiedFrom(env: Env, name: string, isPlace = false): string | undefined {
  const value = copied(env[name] ?? '');
  const rest = value.replace(variable, '');
  if (rest !== value && (isPlace ? !existsSync(value) : /^(?:bearer *)?$/i.test(rest)))
    throw new Misuse(
      `${name} is ${value}, which the program that started this one has not filled in. Put the value itself there, or leave it out.`,
    );
  return value || undefined;
}

/** A folder. Only shells expand `~`; the clients that start a server do not. */
const folderIn = (env: Env, name: string): string | undefined => copiedFrom(env, name, true)?.replace(/^~(?=$|[\\/])/, homedir());

/**
 * The system's folder for the data of one user. It must be the same for `login` and for a server that a client starts: many clients do not
 * pass on `XDG_CONFIG_HOME`, and some not even `APPDATA`.
 */
function userFolder(env: Env): string {
  const usual = process.platform === 'win32' ? join('AppData', 'Roaming') : '.config';
  return join(folderIn(env, 'APPDATA') ?? join(homedir(), usual), brand.slug);
}

const ownWays: Ways = { connect: `npx ${brand.slug} login`, folder: 'SCHEDULING_FOLDER' };

/**
 * @param ways of the calling program, whose own setting for the folder takes precedence over that of the command line
 * @throws Misuse if the account's name cannot be used, or a token is also set
 */
export function settingsIn(env: Env, ways = ownWays): Settings {
  const account = copiedFrom(env, 'SCHEDULING_ACCOUNT');
  const accessToken = copiedFrom(env, 'SCHEDULING_ACCESS_TOKEN')?.replace(/^bearer\s+/i, '');
  const named = env['SCHEDULING_ACCOUNT'] ?? '';
  if (named !== '' && !/^\w(?:[\w.@+-]{0,62}[\w])?$/.test(account ?? ''))
    throw new Misuse(`The name of an account consists of letters, digits and . _ - + @, such as work, and not "${named.slice(0, 40)}".`);
  if (account !== undefined && accessToken !== undefined)
    throw new Misuse(`SCHEDULING_ACCESS_TOKEN is set, so the account "${account}" would not be used. Remove one of them.`);
  const baseUrl = copiedFrom(env, 'SCHEDULING_BASE_URL') ?? brand.baseUrl;
  return {
    file: new ConnectionFile(folderIn(env, ways.folder) ?? folderIn(env, ownWays.folder) ?? userFolder(env), ways, account),
    accessToken,
    baseUrl,
    ...applicationIn(env, baseUrl),
  };
}

/** The application that the environment names, otherwise the one that the service's provider has registered for everybody. */
function applicationIn(env: Env, baseUrl: string): Pick<Settings, 'clientId' | 'clientSecret'> {
  const own = { clientId: copiedFrom(env, 'SCHEDULING_CLIENT_ID'), clientSecret: copiedFrom(env, 'SCHEDULING_CLIENT_SECRET') };
  const shared = publicClientId(baseUrl);
  const isNamed = own.clientId !== undefined || own.clientSecret !== undefined;
  return isNamed || shared === undefined ? own : { clientId: shared, clientSecret: '' };
}

/** The option by which every command chooses one of several accounts. */
export const accountOption = { account: { type: 'string' } } as const;

/**
 * Removes `--account <name>` from the arguments, wherever it is.
 *
 * @returns the other arguments, and an environment that names the account
 * @throws Misuse
 */
export function chooseAccount(args: readonly string[], env: Env): { args: string[]; env: Env } {
  const at = args.findIndex((arg) => /^--account(?:=|$)/.test(arg));
  if (at === -1) return { args: [...args], env };
  const isApart = args[at] === '--account';
  const own = args.slice(at, at + (isApart ? 2 : 1));
  const { values } = readOptions(own, accountOption);
  const others = args.toSpliced(at, own.length);
  if (others.some((arg) => /^--account(?:=|$)/.test(arg))) throw new Misuse('--account was given twice. Give it once.');
  if (!values.account) throw new Misuse('--account needs a value.');
  return { args: others, env: { ...env, SCHEDULING_ACCOUNT: values.account } };
}

/** How a program reaches the account of its settings: with a given token or a saved connection. */
export interface Access {
  auth: Authorization;
  baseUrl: string;
  /** Where its open writes are kept, also for the next run. */
  store: PendingStore;
}

/** @throws ServiceError `unauthenticated` if there is neither a token nor a connected account; `invalid` if the base URL cannot be used */
export function accessOf({ accessToken, baseUrl, file }: Settings): Access {
  if (accessToken === undefined) {
    const connected = file.read();
    const folder = file.openWrites(connected);
    void clearUp(folder);
    return { auth: connectionIn(file), baseUrl: connected.baseUrl, store: openWritesIn(folder) };
  }
  void clearUp(file.tokenWrites);
  const store = openWritesIn(file.tokenWrites, `${accessToken}\n${checkBaseUrl(baseUrl)}\n`);
  return { auth: givenToken(accessToken), baseUrl, store };
}

/** A token that cannot be refreshed. */
const givenToken = (token: string): Authorization => ({
  token: async () => token,
  renew: async (_refused, _signal, isCertain) => {
    if (isCertain === false) return;
    throw new ServiceError('unauthenticated', {
      message: `${brand.name} did not accept the token in SCHEDULING_ACCESS_TOKEN.`,
      advice: `Set a new token. If it is new, ${checkBetween}`,
    });
  },
});
