import { homedir } from 'node:os';
import { join } from 'node:path';
import { brand } from '../../shared/brand.ts';
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
