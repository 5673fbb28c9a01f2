/** What the application is told by its environment. */
export interface Settings {
  clientId: string;
  clientSecret: string;
  /** The service, where it is not the published one: the sandbox, for example. */
  baseUrl: string | undefined;
  /** Where the service and the consent page reach this application. https and public for a service that is not on this machine. */
  publicUrl: string;
  /** Whether the service reaches that address: then it delivers there. */
  isReachable: boolean;
  /** How often the lists are compared for changes, in seconds; `undefined` where they are not. */
  pollSeconds: number | undefined;
  /** The address of the application's own pages. */
  siteUrl: string;
  /** What opens the own pages; `undefined` where none is asked for, which only a site on loopback may do. */
  password: string | undefined;
  /** The zone in which a start without an offset is read. */
  timeZone: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** What the command line and the addresses say. */
export interface Place {
  siteUrl: string;
  publicUrl: string;
  isReachable: boolean;
  polls: boolean;
}

/** @throws Error in a sentence where something is missing, or where anybody could open the own pages */
export function readSettings(env: Environment, { siteUrl, publicUrl, isReachable, polls }: Place): Settings {
  const pollSeconds = Number(env['POLL_SECONDS'] ?? 60);
  if (!(pollSeconds > 0)) throw new Error('Set POLL_SECONDS to a number of seconds, or leave it out: then it is 60.');
  const { CLIENT_ID: clientId = '', CLIENT_SECRET: clientSecret = '', BASE_URL: baseUrl, PASSWORD: password, TIME_ZONE: timeZone } = env;
  if (clientId === '' || clientSecret === '')
    throw new Error('Set CLIENT_ID and CLIENT_SECRET to what the service gave you for this application.');
  const isLoopback = ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(siteUrl).hostname);
  if (!isLoopback && (password ?? '').length < 12)
    throw new Error(
      'Set PASSWORD to at least 12 characters: anyone who can reach the pages of this application could read and make bookings.',
    );
  return {
    clientId,
    clientSecret,
    baseUrl,
    publicUrl,
    isReachable,
    pollSeconds: polls ? pollSeconds : undefined,
    siteUrl,
    password: password === '' ? undefined : password,
    timeZone: timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}
