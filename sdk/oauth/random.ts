const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

export const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const hashOf = async (text: string): Promise<Uint8Array> => new Uint8Array(await crypto.subtle.digest('SHA-256', bytesOf(text)));

/** Random bytes as text that can be part of an address. */
export const randomText = (bytes: number): string => base64url(crypto.getRandomValues(new Uint8Array(bytes)));

/** The PKCE challenge of a verifier (S256). */
export const challengeOf = async (verifier: string): Promise<string> => base64url(await hashOf(verifier));

/** Whether two texts are equal. The time it takes does not show how much of them is equal. */
export async function isSame(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([hashOf(one), hashOf(other)]);
  let difference = 0;
  for (const [index, byte] of first.entries()) difference |= byte ^ (second[index] ?? 0);
  return difference === 0;
}
