import { createHash, randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, rm } from 'node:fs/promises';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as z from 'zod/v4';
import { ServiceError } from '../../shared/serviceError.ts';
import type { Tokens } from '../../shared/oauth/oauth.ts';
import { asText, hasValue } from '../../shared/values.ts';
import type { TokenStore } from '../stores/store.ts';
import { json, withFileLock, writeAtomically } from './atomicWrite.ts';
import { codeOf } from './lock.ts';
import { connectionOver, ownWire, type Connection, type TokenWire } from '../oauth/connection.ts';

const Connected = z.object({
  /** Identifies this connection: what was begun in one connection is not continued in another. */
  id: z.string().regex(/^[a-f0-9]{16}$/),
  /** Identifies the account, also after it is connected again. Absent if its user could not be read. */
  owner: z
    .string()
    .regex(/^[a-f0-9]{16}$/)
    .optional(),
  baseUrl: z.string(),
  clientId: z.string(),
  clientSecret: z.string(),
  tokens: z.object({ access_token: z.string(), refresh_token: z.string().optional() }),
});

/** The connected account as saved. */
export type ConnectedAccount = z.infer<typeof Connected>;

/** The names that this program writes to its folder. */
const ownNames = /^(?:connection\.(?:json|lock)$|open-|token-writes|accounts$)/;

export const newConnectionId = (): string => randomBytes(8).toString('hex');

/** The names of the command and the setting that error messages tell people to use. */
export interface Ways {
  /** The command that connects. */
  connect: string;
  /** The setting that names the folder. */
  folder: string;
}

/**
 * Saves the connection in a file that only its owner can read, in a folder that nobody else can enter. Each named account has its own
 * subfolder.
 */
export class ConnectionFile {
  readonly folder: string;
  readonly path: string;
  readonly account: string | undefined;
  readonly #root: string;
  readonly #ways: Ways;

  /** @param account the name that the person gave to one of several accounts */
  constructor(root: string, ways: Ways, account?: string) {
    this.folder = account === undefined ? root : join(root, 'accounts', account);
    this.path = join(this.folder, 'connection.json');
    this.account = account;
    this.#root = root;
    this.#ways = ways;
  }

  /** All accounts that are connected in the same folder, starting with the unnamed one. */
  connected(): ConnectionFile[] {
    const accounts = join(this.#root, 'accounts');
    const names = existsSync(accounts) ? readdirSync(accounts).sort() : [];
    const all = [undefined, ...names].map((name) => new ConnectionFile(this.#root, this.#ways, name));
    return all.filter(({ path }) => existsSync(path));
  }

  /**
   * Runs `work` while no other process of this user does. Everything that changes the connection must run in here.
   *
   * @throws ServiceError `invalid` if nothing can be saved, for example in a secret that a container has mounted
   */
  withLock<Result>(work: () => Promise<Result>): Promise<Result> {
    return withFileLock(this.path, join(this.folder, 'connection.lock'), work).catch((error: unknown) => {
      const { code, syscall } = error as NodeJS.ErrnoException;
      if (syscall === undefined) throw error;
      throw new ServiceError('invalid', {
        message: `Nothing can be saved in ${this.folder} (${String(code)}).`,
        advice: `Make it writable for your user, or set ${this.#ways.folder} to another folder and connect there.`,
      });
    });
  }

  /** The folder for the account's writes whose response was lost. They still belong to it after it is connected again. */
  openWrites({ id, owner = id }: Pick<ConnectedAccount, 'id' | 'owner'>): string {
    return join(this.folder, `open-${owner}`);
  }

  /** Records whose account is connected, from the user that the service returns. A user without an id and an email identifies nobody. */
  async belongsTo({ id, email }: { readonly id?: unknown; readonly email?: unknown }): Promise<void> {
    const user = [id, typeof email === 'string' ? email.toLowerCase() : ''].find((each) => hasValue(each));
    if (user === undefined) return;
    await this.withLock(async () => {
      const connected = this.read();
      const owner = createHash('sha256')
        .update(`${connected.baseUrl}\n${asText(user)}`)
        .digest('hex')
        .slice(0, 16);
      await this.write({ ...connected, owner });
    });
  }

  /** The folder for the writes of access tokens that are not saved, until their outcome is known. */
  get tokenWrites(): string {
    return join(this.#root, 'token-writes');
  }

  /** The error for a connection that has ended, so that the person must connect again. */
  over(message: string): ServiceError {
    const option = this.account === undefined ? '' : ` --account ${this.account}`;
    return new ServiceError('unauthenticated', {
      message,
      advice: `Run \`${this.#ways.connect}${option}\` in a terminal, then try again.`,
    });
  }

  /** @throws ServiceError `unauthenticated` if no account is connected */
  read(): ConnectedAccount {
    const named = this.account === undefined ? '' : ` as "${this.account}"`;
    let text = '';
    try {
      text = readFileSync(this.path, 'utf8');
    } catch (error) {
      const code = codeOf(error);
      throw this.over(
        code === 'ENOENT' ? `No account is connected here${named}.` : `The connection in ${this.path} cannot be read (${String(code)}).`,
      );
    }
    const read = Connected.safeParse(json(text));
    // The content is not shown: it contains secrets.
    if (!read.success) throw this.over(`The connection in ${this.path} cannot be read.`);
    return read.data;
  }

  /**
   * Creates the folder, or closes an empty one to other users. A folder that contains other files is refused, not closed.
   *
   * @throws an error with a message for people if it contains other files
   */
  async prepare(): Promise<void> {
    const isMade = (await mkdir(this.folder, { recursive: true, mode: 0o700 })) !== undefined;
    if (isMade) return;
    const there = await readdir(this.folder);
    // The folder was closed when the account was connected. Files that were added later must not prevent a token from being saved.
    if (there.includes(basename(this.path))) return;
    if (!there.every((name) => ownNames.test(name)))
      throw new Error(
        `The folder ${this.folder} contains other files, and the connection needs a private folder. Set ${this.#ways.folder} to an empty or new folder.`,
      );
    await chmod(this.folder, 0o700);
  }

  /** Writes the whole file or nothing. @throws an error with a message for people if the folder contains other files */
  async write(connected: ConnectedAccount): Promise<void> {
    await this.prepare();
    await writeAtomically(this.path, JSON.stringify(connected));
  }

  /** Deletes the connection and the open writes of all connections that this folder had. */
  async forget(): Promise<void> {
    await rm(this.path, { force: true });
    for (const name of await readdir(this.folder))
      if (name.startsWith('open-')) await rm(join(this.folder, name), { recursive: true, force: true });
  }
}

/** A store for the tokens of the saved connection. */
export const storeIn = (file: ConnectionFile): TokenStore => ({
  read: () => ({ ...(file.read().tokens as Tokens), connection: file.read().id }),
  write: ({ access_token, refresh_token }) =>
    file.write({ ...file.read(), tokens: { access_token, ...(refresh_token !== undefined && { refresh_token }) } }),
  delete: () => file.forget(),
  withLock: (work) => file.withLock(work),
});

/**
 * The connection whose tokens and application are saved in a file. If the service refuses either, the reader of the error is the person who
 * connected, and can connect again.
 */
export function connectionIn(kept: ConnectionFile, wire: TokenWire = ownWire()): Connection {
  const connection = connectionOver(() => kept.read(), storeIn(kept), wire);
  return {
    ...connection,
    renew: (refused, over) =>
      connection.renew(refused, over).catch((error: unknown) => {
        if (!(error instanceof ServiceError)) throw error;
        // Without a code, something else is wrong, such as a proxy that responds instead of the service.
        const isRefused = error.kind === 'unauthenticated' && error.code !== undefined && error.code !== '';
        throw isRefused || error.code === 'invalid_client' ? kept.over(error.message) : error;
      }),
  };
}
