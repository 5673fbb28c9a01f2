// G14: why the token endpoint refuses. Seen: `invalid_grant` (RFC 6749), in capitals or in other error formats, or only a message;
// `invalid_token` (RFC 6750, Spring), `bad_refresh_token` (GitHub, HubSpot), `interaction_required` (Microsoft), `unauthorized_client` with
// "refresh_token is invalid" (Atlassian). Without such a message, it is the application's own fault.

import { asText, isObject } from '../values.ts';

/** Whether an error's code says that a token or grant is no longer valid: `invalid_grant`, `refresh_token_expired`. */
export const isOverGrant = (name: string): boolean =>
  /^(?:invalid_grant|(?:interaction|consent|login)_required|bad_refresh_token|(?:invalid|expired|revoked)_(?:refresh_)?token|(?:refresh_)?token_(?:invalid|expired|revoked|reused|not_found))$/.test(
    name,
  );

/** Whether the service's message says that a refresh token is no longer valid. */
export const saysOver = (words: string): boolean =>
  /\brefresh[ _]token\b/i.test(words) &&
  /\b(?:invalid|expired|revoked|reused|already (?:been )?used|unknown|not found(?! in))\b/i.test(words);

/** Whether an error's code says that the application is refused: `invalid_client`, `INVALID_CLIENT_SECRET`. */
export const isOfClient = (name: string): boolean =>
  /^(?:(?:invalid|unknown)_client|client_(?:not_found|authentication_failed)$)/.test(name);

/** Messages that say that the application is refused. */
export const saysClient = /\bclient[ _-](?:id|secret|credentials|authentication)\b/i;

/** An error's codes: OAuth's own (RFC 6749), or the same in the service's error format, such as `INVALID_GRANT` (section 7). */
export const namesIn = ({ error, code, title }: Record<string, unknown>): string[] =>
  [error, code, title, ...(isObject(error) ? [error['code'], error['type']] : [])].map((each) =>
    asText(each)
      .replace(/([a-z])([A-Z])/g, '$1_$2')
      .toLowerCase()
      .replace(/[\s-]+/g, '_'),
  );
