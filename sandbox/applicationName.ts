/** Where the platforms that people connect take the answer. Several of them on one machine may share one client id. */
const PLATFORMS: [name: string, isAt: (address: URL) => boolean][] = [
  ['n8n', ({ pathname }) => pathname.endsWith('/rest/oauth2-credential/callback')],
  ['Zapier', ({ hostname }) => hostname === 'zapier.com'],
  ['Make', ({ hostname }) => hostname === 'www.integromat.com'],
];

/**
 * An application as a person knows it: "n8n at localhost:5678".
 *
 * @param registered the name of the client that it uses
 * @param redirectUri where the answer to the consent page goes; only the client's name is known without it
 */
export function applicationName(registered: string, redirectUri: string | undefined): string {
  if (redirectUri === undefined || !URL.canParse(redirectUri)) return registered;
  const address = new URL(redirectUri);
  const name = PLATFORMS.find(([, isAt]) => isAt(address))?.[0] ?? registered;
  return address.host === '' ? name : `${name} at ${address.host}`;
}
