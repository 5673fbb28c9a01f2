import { homedir } from 'node:os';
import { join } from 'node:path';
import { brand } from '../../shared/brand.ts';
import { ConnectionFile } from './connectionFile.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/** What the environment says to the command line, and to scripts that use what it has kept. */
export interface Settings {
  file: ConnectionFile;
  accessToken: string | undefined;
  baseUrl: string;
  clientId: string | undefined;
  clientSecret: string | undefined;
}

export function settingsIn(env: Env): Settings {
  // Where this system keeps what belongs to one user of one program.
  const usual = join(env['APPDATA'] || env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), brand.slug);
  return {
    file: new ConnectionFile(env['SCHEDULING_FOLDER'] || usual, { connect: `npx ${brand.slug} login`, folder: 'SCHEDULING_FOLDER' }),
    accessToken: env['SCHEDULING_ACCESS_TOKEN'] || undefined,
    baseUrl: env['SCHEDULING_BASE_URL'] || brand.baseUrl,
    clientId: env['SCHEDULING_CLIENT_ID'] || undefined,
    clientSecret: env['SCHEDULING_CLIENT_SECRET'] || undefined,
  };
}
