import { brand } from '../../shared/brand.ts';
import { checkBaseUrl } from '../../shared/oauth.ts';

/** What the app is told by its environment at Zapier. */
export interface Environment {
  clientId: string;
  clientSecret: string;
  baseUrl: string;
}

/**
 * Reads `CLIENT_ID`, `CLIENT_SECRET` and, to point elsewhere than the brand's address, `BASE_URL`. Zapier sets them with each event, after
 * the app was loaded: they are read when they are needed, never at the top of a file.
 *
 * @throws ServiceError when `BASE_URL` is no usable address
 */
export function environment(): Environment {
  const { CLIENT_ID = '', CLIENT_SECRET = '', BASE_URL = '' } = process.env;
  return { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, baseUrl: checkBaseUrl(BASE_URL === '' ? brand.baseUrl : BASE_URL) };
}
