import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as z from 'zod/v4';
import { ServiceError } from '../../shared/api/errors.ts';
import type { Tokens } from '../../shared/oauth.ts';
import type { TokenStore } from '../oauth/store.ts';
import { codeOf, withLock } from './lock.ts';

const Connected = z.object({
  /** Told apart from any earlier connection by this: what was left open belongs to one of them. */
  id: z.string().regex(/^[a-f0-9]{16}$/),
  baseUrl: z.string(),
  clientId: z.string(),
  clientSecret: z.string(),
  tokens: z.object({ access_token: z.string(), refresh_token: z.string().optional() }),
});

/** The one connected account, as it is kept. */
export type Connected = z.infer<typeof Connected>;

/** What this program puts into its folder. */
const ownNames = /^(connection\.json|renewal\.lock|open-)/;

export const newConnectionId = (): string => randomBytes(8).toString('hex');

/** What a person can do about a connection, for the sentences that say it. */
export interface Ways {
  /** The command that connects. */
  connect: string;
  /** The setting that names the folder. */
  folder: string;
}

/** Where the connection is kept: in a file that its owner alone can read, in a folder that nobody else can enter. */
export class ConnectionFile {
  readonly folder: string;
  readonly #ways: Ways;
  /** What was read last. The version is looked up before the text is read: what changes in between is read anew the next time. */
  #known: { version: string | undefined; connected: Connected } | undefined;

  constructor(folder: string, ways: Ways) {
    this.folder = folder;
    this.#ways = ways;
  }

  get path(): string {
    return join(this.folder, 'connection.json');
  }

  /** Does `work` while no other process of this user does. */
  alone<Result>(work: () => Promise<Result>): Promise<Result> {
    return withLock(join(this.folder, 'renewal.lock'), work);
  }

  /** Where writes of a connection are put down whose answer was lost. */
  openWrites(id: string): string {
    return join(this.folder, `open-${id}`);
  }

  /**
   * Read anew only once the file is another one, or was changed: by this process or by another.
   *
   * @throws ServiceError `unauthenticated` where no account is connected
   */
  read(): Connected {
    const version = versionOf(this.path);
    if (version === undefined || version !== this.#known?.version) {
      this.#known = undefined;
      this.#known = { version, connected: this.#readAnew() };
    }
    return this.#known.connected;
  }

  #readAnew(): Connected {
    const text = textOf(this.path);
    if (text === undefined)
      throw new ServiceError('unauthenticated', {
        message: 'No account is connected here.',
        advice: `Run \`${this.#ways.connect}\` in a terminal, then try again.`,
      });
    const read = Connected.safeParse(json(text));
    // What stands in it is not shown: it would be a secret.
    if (!read.success)
      throw new ServiceError('unauthenticated', {
        message: `The connection in ${this.path} cannot be read.`,
        advice: `Run \`${this.#ways.connect}\` in a terminal, then try again.`,
      });
    return read.data;
  }

  /**
   * Makes the folder, or closes one that is empty, for others. One that others use is not closed to them: it is refused.
   *
   * @throws a sentence where something else lies in it
   */
  async prepare(): Promise<void> {
    const isMade = (await mkdir(this.folder, { recursive: true, mode: 0o700 })) !== undefined;
    if (isMade) return;
    const there = await readdir(this.folder);
    // It was closed when the account was connected, and what has come since must not keep a token from being written down.
    if (there.includes(basename(this.path))) return;
    if (!there.every((name) => ownNames.test(name)))
      throw new Error(
        `The folder ${this.folder} contains other files, and the connection needs a private folder. Set ${this.#ways.folder} to an empty or new folder.`,
      );
    await chmod(this.folder, 0o700);
  }

  /** Written whole or not at all. @throws a sentence where the folder is one that others use */
  async write(connected: Connected): Promise<void> {
    await this.prepare();
    const made = `${this.path}.${randomBytes(6).toString('hex')}`;
    await writeFile(made, JSON.stringify(connected), { mode: 0o600, flag: 'wx' });
    await rename(made, this.path);
  }

  async forget(id: string): Promise<void> {
    await rm(this.path, { force: true });
    await rm(this.openWrites(id), { recursive: true, force: true });
  }
}

/** What of a file its connection needs. */
export type Keeping = Pick<ConnectionFile, 'path' | 'read' | 'write' | 'alone'> & Partial<Pick<ConnectionFile, 'forget'>>;

/** The tokens of the connection in a file, as a store. */
export const storeIn = (file: Keeping): TokenStore => ({
  read: () => file.read().tokens as Tokens,
  write: ({ access_token, refresh_token }) =>
    file.write({ ...file.read(), tokens: { access_token, ...(refresh_token !== undefined && { refresh_token }) } }),
  delete: () => file.forget?.(file.read().id),
  alone: (work) => file.alone(work),
});

/** Tells one state of a file from the next: each is written as a file of its own, which then takes the place of the last. */
function versionOf(path: string): string | undefined {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
  } catch {
    // Reading it tells why.
    return undefined;
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new ServiceError('unauthenticated', {
      message: `The connection in ${path} cannot be read (${String(codeOf(error))}).`,
      advice: 'Allow this program to read it, or connect again.',
    });
  }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
