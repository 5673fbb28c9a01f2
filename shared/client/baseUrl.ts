import { brand } from '../brand.ts';
import { ServiceError } from '../serviceError.ts';
import { copied, visible } from '../values.ts';

/** Addresses where plain HTTP is allowed: they never leave the machine. */
const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** The end of every base URL (section 1). */
export const apiPath = '/api/v1';

/**
 * Checks a base URL and removes its final slash. It must use HTTPS, or plain HTTP on this machine; have no user name and no query; and end
 * in `/api/v1` (sections 1 and 9). This path is added to an address without one; the errors of its first call name the address that was
 * tried.
 *
 * @throws ServiceError `invalid` that says what to correct
 */
export function checkBaseUrl(text: string): string {
  const trimmed = copied(visible(text));
  const complain = (why: string) =>
    new ServiceError('invalid', {
      message: `The base URL cannot be used: ${why}.`,
      advice: `Enter one like ${brand.baseUrl}.`,
      fields: [{ field: 'base_url', message: why }],
    });
  if (!URL.canParse(trimmed)) throw complain('it is not a URL');
  const url = new URL(trimmed);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback.test(url.hostname)))
    throw complain('it must begin with https://');
  if (url.username !== '' || url.password !== '') throw complain('it must not contain a user name or a password');
  if (url.search !== '' || url.hash !== '') throw complain('it must not contain a query or a fragment');
  const path = url.pathname.replace(/\/{1,20}$/, '');
  if (path === '') return url.origin + apiPath;
  if (!path.endsWith(apiPath)) throw complain(`it must end in ${apiPath}`);
  return url.origin + path;
}
