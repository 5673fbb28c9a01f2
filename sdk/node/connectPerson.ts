import { brand } from '../../shared/brand.ts';
import type { ConnectionFile } from './connectionFile.ts';
import { login } from './login.ts';
import { askPerson } from './prompt.ts';

/** Long enough for a person to read, think and agree. */
const consentMs = 10 * 60 * 1000;

/** What is known before the person is asked. */
export interface Connecting {
  baseUrl: string;
  clientId: string | undefined;
  clientSecret: string | undefined;
  redirectUri: string;
  /** Whether the consent page is opened, in addition to printing its address. */
  opensBrowser: boolean;
  openInBrowser: (address: string) => void;
  say: (line: string) => void;
}

/**
 * Connects an account with the person at this terminal: asks for what is missing and opens the consent page.
 *
 * @throws as {@link login}
 */
export async function connectPerson(
  file: ConnectionFile,
  { baseUrl, clientId, clientSecret, redirectUri, opensBrowser, openInBrowser, say }: Connecting,
): Promise<void> {
  const application = {
    baseUrl,
    clientId: clientId ?? (await askPerson('Client id (SCHEDULING_CLIENT_ID)')),
    clientSecret: clientSecret ?? (await askPerson('Client secret (SCHEDULING_CLIENT_SECRET)', { isSecret: true })),
  };
  const show = (address: string): void => {
    say(`Allow access on the consent page of ${brand.name}:\n\n  ${address}\n`);
    if (opensBrowser) openInBrowser(address);
  };
  await login(file, application, { redirectUri, show, patienceMs: consentMs });
  say(
    `Connected. The tokens and the client secret are saved in ${file.path}, which only your user can read. They are not encrypted: anyone who can read your files can use them. \`logout\` revokes and deletes them.`,
  );
}
