import { homedir } from 'node:os';
import { join } from 'node:path';
import { brand } from '../../shared/brand.ts';
import type { Auth } from '../client/options.ts';
import { ConnectionFile } from './connectionFile.ts';
import { connectionIn } from './connectionIn.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/** Settings from the environment, for the command line and for scripts that use its connection. */
export interface Settings {
  file: ConnectionFile;
  accessToken: string | undefined;
  baseUrl: string;
  clientId: string | undefined;
  clientSecret: string | undefined;
}

/** The system's place for one user's data of a program. */
export const userFolder = (env: Env, program: string): string =>
  join(env['APPDATA'] || env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), program);

export function settingsIn(env: Env): Settings {
  return {
    file: new ConnectionFile(env['SCHEDULING_FOLDER'] || userFolder(env, brand.slug), {
      connect: `npx ${brand.slug} login`,
      folder: 'SCHEDULING_FOLDER',
    }),
    accessToken: env['SCHEDULING_ACCESS_TOKEN'] || undefined,
    baseUrl: env['SCHEDULING_BASE_URL'] || brand.baseUrl,
    clientId: env['SCHEDULING_CLIENT_ID'] || undefined,
    clientSecret: env['SCHEDULING_CLIENT_SECRET'] || undefined,
  };
}

/**
 * The account that the command line's `login` connected on this machine, for your own scripts: `createClient(ownAccount())`. Its token is
 * shared with all other programs that use it and refreshed for all of them. `SCHEDULING_ACCESS_TOKEN` takes precedence.
 *
 * @param env the environment; the command line's `--help` lists its variables
 * @throws ServiceError `unauthenticated` if no account is connected
 */
export function ownAccount(env: Readonly<Record<string, string | undefined>> = process.env): { auth: Auth; baseUrl: string } {
  const { accessToken, baseUrl, file } = settingsIn(env);
  return accessToken === undefined ? { auth: connectionIn(file), baseUrl: file.read().baseUrl } : { auth: accessToken, baseUrl };
}
