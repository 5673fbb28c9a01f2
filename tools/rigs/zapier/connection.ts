import { createHash, randomBytes } from 'node:crypto';
import { Browser } from './browser.ts';

type Invoke = (method: string, bundle: object) => Promise<unknown>;

/** What Zapier keeps of a connected account. */
export interface Connection {
  /** Every key that the app's token exchange returned, as text. */
  authData: Record<string, string>;
  /** The connection's name in the editor. */
  label: string;
}

/**
 * Connects an account as Zapier does. It makes a state, adds PKCE (S256) to the app's authorization address, presses a button of the
 * consent page in a browser, compares the returned state, exchanges the code, tests the account, and names the connection.
 *
 * @param invoke runs one of the app's methods
 * @param redirectUri where the service sends the browser back to; it must be registered there
 * @param options.press the button of the consent page to press
 * @throws an error if the service refuses or returns another state
 */
export async function connect(
  invoke: Invoke,
  redirectUri: string,
  options: { labelTemplate: string; scope: string; press?: RegExp },
): Promise<Connection> {
  const state = randomBytes(20).toString('hex');
  const verifier = randomBytes(32).toString('base64url');
  const authorizeUrl = new URL(
    String(
      await invoke('authentication.oauth2Config.authorizeUrl', { inputData: { response_type: 'code', redirect_uri: redirectUri, state } }),
    ),
  );
  authorizeUrl.searchParams.set('code_challenge', createHash('sha256').update(verifier).digest('base64url'));
  authorizeUrl.searchParams.set('code_challenge_method', 'S256');
  if (!authorizeUrl.searchParams.has('scope')) authorizeUrl.searchParams.set('scope', options.scope);

  const browser = new Browser();
  const consent = await browser.open(authorizeUrl.href, { stopAt: redirectUri });
  const landed =
    consent.status === 0
      ? consent
      : await browser.press(consent, options.press ?? /allow|approve|authori[sz]e|connect/i, { stopAt: redirectUri });
  const returned = new URL(landed.url).searchParams;
  if (landed.status !== 0) throw new Error(`The service did not send the browser back: ${landed.url} answered ${landed.status}.`);
  if (returned.get('state') !== state)
    throw new Error('The service sent the browser back with a different state than the one it received.');
  const code = returned.get('code');
  if (code === null)
    throw new Error(`The service refused the connection: ${returned.get('error') ?? 'no code'} ${returned.get('error_description') ?? ''}`);

  const tokens = await invoke('authentication.oauth2Config.getAccessToken', {
    inputData: { ...Object.fromEntries(returned), code, redirect_uri: redirectUri, code_verifier: verifier },
  });
  const authData = asText(tokens);
  const tested = await invoke('authentication.test', { authData });
  return { authData, label: render(options.labelTemplate, { ...authData, ...asText(tested) }) };
}

/** Merges what a refresh returned into what is stored: a returned value replaces the old one, and everything else stays. */
export async function refreshed(invoke: Invoke, connection: Connection): Promise<Connection> {
  const tokens = await invoke('authentication.oauth2Config.refreshAccessToken', { authData: connection.authData });
  return { ...connection, authData: { ...connection.authData, ...asText(tokens) } };
}

function asText(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) =>
      each === null || each === undefined || typeof each === 'object' ? [] : [[key, String(each)]],
    ),
  );
}

function render(template: string, values: Record<string, string>): string {
  return template.replace(/\{\{\s*(?:bundle\.(?:authData|inputData)\.)?(\w+)\s*\}\}/g, (_, key: string) => values[key] ?? '');
}
