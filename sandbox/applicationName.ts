import type { Client } from './records.ts';

/** Where the usual platforms receive the answer. Several of them on one machine may share one client id. */
const PLATFORMS: [name: string, isAt: (address: URL) => boolean][] = [
  ['n8n', ({ pathname }) => pathname.endsWith('/rest/oauth2-credential/callback')],
  ['Zapier', ({ pathname }) => pathname.startsWith('/dashboard/auth/oauth/return/')],
  ['Make', ({ hostname }) => hostname === 'www.integromat.com'],
  // They share one connection, and this address unless another is chosen.
  ['MCP server or command line', ({ host, pathname }) => host === 'localhost:9000' && pathname === '/'],
];

/**
 * An application as a person knows it: "n8n at localhost:5678".
 *
 * @param client the client that it uses
 * @param redirectUri where the consent page's answer goes; without it, only the client's name is known
 */
export function applicationName({ name: registered, names = {} }: Pick<Client, 'name' | 'names'>, redirectUri: string | undefined): string {
  if (redirectUri === undefined || !URL.canParse(redirectUri)) return registered;
  const address = new URL(redirectUri);
  const name = names[redirectUri] ?? PLATFORMS.find(([, isAt]) => isAt(address))?.[0] ?? registered;
  return address.host === '' ? name : `${name} at ${address.host}`;
}
