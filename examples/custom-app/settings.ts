/** What the application is told by its environment. */
export interface Settings {
  clientId: string;
  clientSecret: string;
  /** The service, where it is not the published one: the sandbox, for example. */
  baseUrl: string | undefined;
  /** Where the service and the consent page reach this application. https and public for a service that is not on this machine. */
  publicUrl: string;
  /** The address of the application's own pages. */
  siteUrl: string;
  /** What opens the own pages; `undefined` where none is asked for, which only a site on loopback may do. */
  password: string | undefined;
  /** The zone in which a start without an offset is read. */
  timeZone: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** @throws Error in a sentence where something is missing, or where anybody could open the own pages */
export function readSettings(env: Environment, siteUrl: string, publicUrl: string): Settings {
  const { CLIENT_ID: clientId = '', CLIENT_SECRET: clientSecret = '', BASE_URL: baseUrl, PASSWORD: password, TIME_ZONE: timeZone } = env;
  if (clientId === '' || clientSecret === '')
    throw new Error('Set CLIENT_ID and CLIENT_SECRET to what the service gave you for this application.');
  const isLoopback = ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(siteUrl).hostname);
  if (!isLoopback && (password ?? '').length < 12)
    throw new Error('Set PASSWORD to at least 12 characters: whoever reaches the pages of this application could read bookings and book.');
  return {
    clientId,
    clientSecret,
    baseUrl,
    publicUrl,
    siteUrl,
    password: password === '' ? undefined : password,
    timeZone: timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}
