import { ServiceError } from '../../shared/serviceError.ts';
import { brand, publicClientId } from '../../shared/brand.ts';
import { checkBaseUrl } from '../../shared/client/baseUrl.ts';
import { isServiceError, type ServiceFailure } from '../errors.ts';
import type { Credentials } from '../oauth/connection.ts';
import { createOAuth, reasonIn } from '../oauth/oauth.ts';
import { consentAnswer, howToPaste } from './consentAnswer.ts';
import { newConnectionId, type ConnectionFile } from './connectionFile.ts';
import { harmless } from '../cli/print.ts';
import { askPerson } from './person.ts';
import type { Settings } from './settings.ts';

/** The options of the commands that connect an account. */
export const loginOptions = {
  redirect: { type: 'string', default: 'http://localhost:9000' },
  'no-browser': { type: 'boolean', default: false },
} as const;

/** What the client id setting is for, as the end of a line of help. */
export const applicationHelp =
  publicClientId(brand.baseUrl) === undefined
    ? `what ${brand.name} gave you for your application; login asks for what is missing`
    : 'an application of your own, if you have one';

interface ConsentRequest {
  /** The address on this machine to which the consent page sends its response, exactly as registered for the application. */
  redirectUri: string;
  /** Shows the person the address of the consent page. */
  show: (address: string) => void;
  /** Tells the person at the terminal something. If it is missing, they cannot paste the consent page's response. */
  say?: ((line: string) => void) | undefined;
  /** Stops waiting for the person. */
  signal?: AbortSignal;
}

/**
 * Connects an account: shows the consent page, takes its response from the browser at an address of this machine or from the person's
 * terminal, and saves the tokens. The page that the person returns to confirms the connection only after that.
 *
 * @throws ServiceError if the tokens were refused; an error with a message for people if they did not agree or did not respond, or, before
 * they are asked, if the tokens could not be saved
 */
export async function login(file: ConnectionFile, application: Credentials, asking: ConsentRequest): Promise<void> {
  await file.withLock(() => file.prepare());
  const { redirectUri, show, say, signal } = asking;
  const redirect = loopback(redirectUri);
  const oauth = createOAuth({ ...application, redirectUri });
  const { url, attempt } = await oauth.begin();
  const state = new URL(url).searchParams.get('state') ?? '';
  await consentAnswer({ redirect, state, show: () => show(url), say, signal }, async (answer) => {
    if ((answer.get('code') ?? '') === '') throw new Error(`The account was not connected: ${reasonIn(answer)}.`);
    const { access_token, refresh_token } = await oauth.finish(answer, attempt).catch((error: unknown) => {
      throw isServiceError(error) && error.code === 'invalid_client' ? wrongApplication(error.message) : error;
    });
    const connected = {
      ...application,
      baseUrl: checkBaseUrl(application.baseUrl),
      id: newConnectionId(),
      tokens: { access_token, ...(refresh_token !== undefined && { refresh_token }) },
    };
    await file.withLock(() => file.write(connected));
  });
}

/** A person who connects at a terminal has typed the id and the secret, so they can correct them. */
const wrongApplication = (message: string): ServiceError =>
  new ServiceError('invalid', { message, advice: 'Correct them, then connect again.', code: 'invalid_client' });

/** A redirect address on this machine. @throws an error with a message for people if it is elsewhere or has no port */
export function loopback(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname) && url.port !== '') return url;
  throw new Error(
    `The redirect address ${address} cannot be used. It must be on this machine and have a port, such as http://localhost:9000.`,
  );
}

/** How long a person has to read, think and agree. Milliseconds. */
const consentMs = 10 * 60 * 1000;

/** The input of {@link connectPerson}: what is known before the person is asked. */
export interface Connecting {
  baseUrl: string;
  clientId: string | undefined;
  clientSecret: string | undefined;
  /** The token that is used instead of the connection, if any. */
  accessToken: string | undefined;
  redirectUri: string;
  /** Whether the consent page is opened, in addition to printing its address. */
  opensBrowser: boolean;
  openInBrowser: (address: string) => void;
  say: (line: string) => void;
  /** Whether the person can paste the consent page's response into this terminal. */
  takesPaste: boolean;
  /** Also receives the address of the consent page, for someone who does not read the output of `say`. */
  show?: (address: string) => void;
  /** Reads the user of the new connection. */
  readUser: () => Promise<NamedUser>;
  /** Stops waiting for the person. */
  signal?: AbortSignal;
  /** What to do next, as a sentence. */
  next: string;
}

/** Whether the base URL leads elsewhere: sign-in works there, but the API is missing. */
const isElsewhere = (error: unknown): error is ServiceFailure =>
  isServiceError(error) && ['notFound', 'unreadable', 'redirected'].includes(error.kind);

/** The fields of a user that identify them for people. */
export interface NamedUser {
  readonly id?: unknown;
  readonly name?: unknown;
  readonly email?: unknown;
}

/** Whose account it is: `Connected as Ada (ada@example.com).` If the service shows neither name nor email, only `Connected.` */
export function connectedAs({ name, email }: NamedUser): string {
  const [first, second] = [name, email].filter((each): each is string => typeof each === 'string' && each !== '');
  const who = second === undefined ? first : `${first} (${second})`;
  return who === undefined ? 'Connected.' : `Connected as ${harmless(who)}.`;
}

/**
 * Says whose account is connected. If some accounts have names, there is a line for each, unless the settings choose one.
 *
 * @param userOf reads the user of a connection, or of the token
 * @throws ServiceError if there is one account and its user cannot be read
 */
export async function statusOf(
  { file, accessToken }: Settings,
  userOf: (file: ConnectionFile, accessToken?: string) => Promise<NamedUser>,
): Promise<string> {
  const all = accessToken === undefined && file.account === undefined ? file.connected() : [];
  if (all.every(({ account }) => account === undefined)) return connectedAs(await userOf(file, accessToken));
  const lines = all.map(async (each) => {
    const text = await userOf(each).then(connectedAs, ({ message }: Error) => message);
    return each.account === undefined ? text : `--account ${each.account}: ${text}`;
  });
  return (await Promise.all(lines)).join('\n');
}

/**
 * Connects an account with the person at this terminal: asks for what is missing and opens the consent page.
 *
 * @throws as {@link login}
 */
export async function connectPerson(file: ConnectionFile, connecting: Connecting): Promise<void> {
  const { redirectUri, say, takesPaste, signal } = connecting;
  const application = {
    baseUrl: connecting.baseUrl,
    clientId: connecting.clientId ?? (await askPerson('Client id (SCHEDULING_CLIENT_ID)')),
    clientSecret: connecting.clientSecret ?? (await askPerson('Client secret (SCHEDULING_CLIENT_SECRET)', { isSecret: true })),
  };
  const show = (address: string): void => {
    say(`Allow access on the consent page of ${brand.name}:\n\n  ${address}\n`);
    if (takesPaste) say(howToPaste);
    connecting.show?.(address);
    if (connecting.opensBrowser) connecting.openInBrowser(address);
  };
  const late = AbortSignal.timeout(consentMs);
  const over = signal === undefined ? late : AbortSignal.any([late, signal]);
  await login(file, application, { redirectUri, show, say: takesPaste ? say : undefined, signal: over });
  // The account is connected, even if its user cannot be read now.
  const user = await connecting.readUser().catch((error: unknown) => (isElsewhere(error) ? error : undefined));
  if (user === undefined || isServiceError(user)) say(`Connected.${user === undefined ? '' : ` ${user.sentence}`}`);
  else {
    await file.belongsTo(user);
    say(connectedAs(user));
  }
  say(
    `The tokens${application.clientSecret === '' ? '' : ' and the client secret'} are saved in ${file.path}, which only your user can read. They are not encrypted: anyone who can read your files can use them. \`logout\` revokes and deletes them.`,
  );
  if (connecting.accessToken !== undefined)
    say('SCHEDULING_ACCESS_TOKEN is set, so that token is used instead of this connection until you remove it.');
  if (connecting.next !== '') say(connecting.next);
}
