import { homedir } from 'node:os';
import { join } from 'node:path';
import { brand } from '../../shared/brand.ts';
import { copied } from '../../shared/values.ts';
import { ConnectionFile } from './connectionFile.ts';

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

/** A value that somebody has copied into the environment; `undefined` if there is none. */
export const copiedFrom = (env: Env, name: string): string | undefined => copied(env[name] ?? '') || undefined;

export function settingsIn(env: Env): Settings {
  return {
    file: new ConnectionFile(env['SCHEDULING_FOLDER'] || userFolder(env, brand.slug), {
      connect: `npx ${brand.slug} login`,
      folder: 'SCHEDULING_FOLDER',
    }),
    accessToken: copiedFrom(env, 'SCHEDULING_ACCESS_TOKEN'),
    baseUrl: copiedFrom(env, 'SCHEDULING_BASE_URL') ?? brand.baseUrl,
    clientId: copiedFrom(env, 'SCHEDULING_CLIENT_ID'),
    clientSecret: copiedFrom(env, 'SCHEDULING_CLIENT_SECRET'),
  };
}
