import type { Auth } from '../auth.ts';
import { connectionIn } from './connectionIn.ts';
import { settingsIn } from './settings.ts';

/**
 * The account that `login` of the command line has connected on this machine, for scripts of one's own: `createClient(ownAccount())`.
 * Its token is renewed as in every other program that uses it. `SCHEDULING_ACCESS_TOKEN` goes before it.
 *
 * @param env the environment, see `--help` of the command line
 * @throws ServiceError `unauthenticated` where no account is connected
 */
export function ownAccount(env: Readonly<Record<string, string | undefined>> = process.env): { auth: Auth; baseUrl: string } {
  const { accessToken, baseUrl, file } = settingsIn(env);
  return accessToken === undefined ? { auth: connectionIn(file), baseUrl: file.read().baseUrl } : { auth: accessToken, baseUrl };
}
