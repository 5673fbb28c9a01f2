import { createHash, randomBytes } from 'node:crypto';
import { Browser } from './browser.ts';

type Invoke = (method: string, bundle: object) => Promise<unknown>;

/** What Zapier stores for a connected account: every key that the app's token exchange returned, as text. */
export type AuthData = Record<string, string>;

/**
 * Connects an account as Zapier does. It makes a state, adds PKCE (S256) to the app's authorization address, agrees on the consent page in
 * a browser, compares the returned state, exchanges the code, and tests the account.
 *
 * @param redirectUri where the service sends the browser back to; it must be registered there
 * @throws an error if the service refuses or returns another state
 */
export async function connect(invoke: Invoke, redirectUri: string): Promise<AuthData> {
  const state = randomBytes(20).toString('hex');
  const verifier = randomBytes(32).toString('base64url');
  const inputData = { response_type: 'code', redirect_uri: redirectUri, state };
  const authorizeUrl = new URL(String(await invoke('authentication.oauth2Config.authorizeUrl', { inputData })));
  authorizeUrl.searchParams.set('code_challenge', createHash('sha256').update(verifier).digest('base64url'));
  authorizeUrl.searchParams.set('code_challenge_method', 'S256');

  const landed = await new Browser().agree(authorizeUrl.href, redirectUri);
  const returned = Object.fromEntries(new URL(landed).searchParams);
  if (returned['state'] !== state) throw new Error('The service sent the browser back with a different state than the one it received.');
  if (returned['code'] === undefined) throw new Error(`The service refused the connection: ${JSON.stringify(returned)}`);

  const tokens = await invoke('authentication.oauth2Config.getAccessToken', {
    inputData: { ...returned, redirect_uri: redirectUri, code_verifier: verifier },
  });
  const authData = asText(tokens);
  await invoke('authentication.test', { authData });
  return authData;
}

/** Merges the result of a refresh into the stored data: returned values replace the old ones, and everything else stays. */
export async function refreshed(invoke: Invoke, authData: AuthData): Promise<AuthData> {
  return { ...authData, ...asText(await invoke('authentication.oauth2Config.refreshAccessToken', { authData })) };
}

/** The values that Zapier stores, as text. */
function asText(value: unknown): AuthData {
  const entries = Object.entries(Object(value) as Record<string, unknown>);
  return Object.fromEntries(
    entries.flatMap(([key, each]) => (['string', 'number', 'boolean'].includes(typeof each) ? [[key, String(each)]] : [])),
  );
}
