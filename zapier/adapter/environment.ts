import { brand } from '../../shared/brand.ts';
import { checkBaseUrl } from '../../shared/oauth/index.ts';

/** The app's environment at Zapier. */
export interface Environment {
  clientId: string;
  clientSecret: string;
  baseUrl: string;
}

/**
 * Reads `CLIENT_ID`, `CLIENT_SECRET` and, for a test system, `BASE_URL`. Zapier sets them with each event, after the app was loaded, so
 * they are read when they are needed and never at the top of a file.
 *
 * @throws ServiceError if `BASE_URL` is not a usable address
 */
export function environment(): Environment {
  const { CLIENT_ID = '', CLIENT_SECRET = '', BASE_URL = '' } = process.env;
  return { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, baseUrl: checkBaseUrl(BASE_URL === '' ? brand.baseUrl : BASE_URL) };
}
