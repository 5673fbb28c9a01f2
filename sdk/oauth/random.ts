import { base64url, sha256 } from '../crypto.ts';

/** Random bytes as text that is safe in a URL. */
export const randomText = (bytes: number): string => base64url(crypto.getRandomValues(new Uint8Array(bytes)));

/** The PKCE challenge of a verifier (S256). */
export const challengeOf = (verifier: string): string => sha256(verifier, 'base64url');

/** Whether two texts are equal. The time it takes does not reveal how much of them is equal. */
export function isSame(one: string, other: string): boolean {
  const [first, second] = [sha256(one, 'hex'), sha256(other, 'hex')];
  let difference = 0;
  for (let at = 0; at < first.length; at += 1) difference |= first.charCodeAt(at) ^ second.charCodeAt(at);
  return difference === 0;
}
