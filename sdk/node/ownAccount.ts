import type { Auth } from '../client/options.ts';
import { connectionIn } from './connectionIn.ts';
import { settingsIn } from './settings.ts';

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
