import { brand } from '../../shared/brand.ts';
import { harmless } from '../cli/print.ts';
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
  /** Gets the address of the consent page too, for somebody who does not read what is said. */
  show?: (address: string) => void;
  /** Reads the user of the new connection. */
  readUser: () => Promise<User>;
  /** Ends the waiting for the person. */
  signal?: AbortSignal;
  /** What to do next, as a sentence. */
  next: string;
}

/** As much of a user as names them. */
interface User {
  readonly name?: unknown;
  readonly email?: unknown;
}

/** Whose account it is: `Connected as Ada (ada@example.com).` A service that shows neither is believed without. */
export function connectedAs({ name, email }: User): string {
  const [first, second] = [name, email].filter((each): each is string => typeof each === 'string' && each !== '');
  const who = second === undefined ? first : `${first} (${second})`;
  return who === undefined ? 'Connected.' : `Connected as ${harmless(who)}.`;
}

/**
 * Connects an account with the person at this terminal: asks for what is missing and opens the consent page.
 *
 * @throws as {@link login}
 */
export async function connectPerson(
  file: ConnectionFile,
  { baseUrl, clientId, clientSecret, redirectUri, opensBrowser, openInBrowser, say, show: alsoShow, readUser, signal, next }: Connecting,
): Promise<void> {
  const application = {
    baseUrl,
    clientId: clientId ?? (await askPerson('Client id (SCHEDULING_CLIENT_ID)')),
    clientSecret: clientSecret ?? (await askPerson('Client secret (SCHEDULING_CLIENT_SECRET)', { isSecret: true })),
  };
  const show = (address: string): void => {
    say(`Allow access on the consent page of ${brand.name}:\n\n  ${address}\n`);
    alsoShow?.(address);
    if (opensBrowser) openInBrowser(address);
  };
  await login(file, application, { redirectUri, show, patienceMs: consentMs, ...(signal && { signal }) });
  // The account is connected, whether or not its user can be read now.
  say(connectedAs(await readUser().catch(() => ({}))));
  say(
    `The tokens and the client secret are saved in ${file.path}, which only your user can read. They are not encrypted: anyone who can read your files can use them. \`logout\` revokes and deletes them.`,
  );
  if (next !== '') say(next);
}
