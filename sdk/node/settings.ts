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

export function settingsIn(env: Env): Settings {
  // The system's place for a program's data of one user.
  const usual = join(env['APPDATA'] || env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), brand.slug);
  return {
    file: new ConnectionFile(env['SCHEDULING_FOLDER'] || usual, { connect: `npx ${brand.slug} login`, folder: 'SCHEDULING_FOLDER' }),
    accessToken: env['SCHEDULING_ACCESS_TOKEN'] || undefined,
    baseUrl: env['SCHEDULING_BASE_URL'] || brand.baseUrl,
    clientId: env['SCHEDULING_CLIENT_ID'] || undefined,
    clientSecret: env['SCHEDULING_CLIENT_SECRET'] || undefined,
  };
}
