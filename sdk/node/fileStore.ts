import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { knownIn, type KnownChanges, tokensIn, type Store, type TokenStore } from '../stores/store.ts';
import { json, removeLeftovers, withFileLock, writeAtomically } from './atomicWrite.ts';
import { unless } from './lock.ts';
import type { Auth } from '../client/options.ts';
import { connectionIn } from './connectionFile.ts';
import { settingsIn } from './settings.ts';

/**
 * A store in a file that only its owner can read, for all processes of one machine. A lock next to the file lets one process refresh at a
 * time. The content is not encrypted: anyone who can read the owner's files can use it. Reading throws an Error if the file contains
 * anything but tokens.
 *
 * @param path of the file; a missing folder is created and closed to other users
 */
export const fileStore = (path: string): TokenStore =>
  inFile(path, (value) => {
    const tokens = tokensIn(value);
    // The content is not shown, because it contains secrets.
    if (tokens === undefined) throw new Error(`${path} does not contain tokens. Delete the file and connect the account again.`);
    return tokens;
  });

/**
 * Keeps the state of a poller of `./changes` in a file that only its owner can read. It contains hashes that reveal nothing about a person.
 * An unreadable file counts as empty: the next poll then records the current state.
 *
 * @param path of the file; a missing folder is created and closed to other users
 */
export const changesFile = (path: string): Store<KnownChanges> => inFile(path, knownIn);

/** @param parse reads the content of the file; receives `undefined` if that is not JSON */
const inFile = <Value>(path: string, parse: (value: unknown) => Value | undefined): Store<Value> => ({
  async read() {
    const text = await readFile(path, 'utf8').catch(unless('ENOENT'));
    return text === undefined ? undefined : parse(json(text));
  },
  async write(value) {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeAtomically(path, JSON.stringify(value));
  },
  async delete() {
    await rm(path, { force: true });
    await removeLeftovers(path);
  },
  withLock: (work) => withFileLock(path, `${path}.lock`, work),
});

/**
 * The account that the command line's `login` connected on this machine, for your own scripts: `createClient(ownAccount())`. Its token is
 * shared with all other programs that use the account, and a refresh applies to all. `SCHEDULING_ACCESS_TOKEN` takes precedence, and
 * `SCHEDULING_ACCOUNT` chooses one of several accounts.
 *
 * @param env the environment; the command line's `--help` lists its variables
 * @throws ServiceError `unauthenticated` if no account is connected
 */
export function ownAccount(env: Readonly<Record<string, string | undefined>> = process.env): { auth: Auth; baseUrl: string } {
  const { accessToken, baseUrl, file } = settingsIn(env);
  return accessToken === undefined ? { auth: connectionIn(file), baseUrl: file.read().baseUrl } : { auth: accessToken, baseUrl };
}
