/** The settings that depend on the command line and the addresses. */
interface Place {
  /** The address of the application's own pages. */
  siteUrl: string;
  /**
   * The address at which the service and the consent page reach this application. It must be public and https unless the service runs on
   * this machine.
   */
  publicUrl: string;
  /** Whether the service can reach that address and deliver there. */
  isReachable: boolean;
  /** Whether the application polls the lists. */
  polls: boolean;
}

/** The settings of the application, from its environment. */
export interface Settings extends Place {
  clientId: string;
  clientSecret: string;
  /** The address of the service if it is not the published one, for example the sandbox. */
  baseUrl: string | undefined;
  /** How often the lists are compared, in seconds. */
  pollSeconds: number;
  /** How often the subscription is checked, in seconds. */
  checkSeconds: number;
  /** The password for the application's own pages; `undefined` if none is needed, which is allowed only on loopback. */
  password: string | undefined;
  /** The time zone of the pages; `undefined` for the host's own. */
  timeZone: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The settings that have a value: settings files and containers also pass on empty ones. */
export const filled = (env: Readonly<Record<string, unknown>>): Environment =>
  Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== ''));

/** @throws Error with a message for people if a setting is missing, or if everyone could open the application's own pages */
export function readSettings(env: Environment, place: Place): Settings {
  const { CLIENT_ID: clientId = '', CLIENT_SECRET: clientSecret = '', BASE_URL: baseUrl, PASSWORD: password, TIME_ZONE: timeZone } = env;
  if (clientId === '' || clientSecret === '')
    throw new Error('Set CLIENT_ID and CLIENT_SECRET to what the service gave you for this application.');
  const isLoopback = ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(place.siteUrl).hostname);
  if (!isLoopback && (password ?? '').length < 12)
    throw new Error(
      'Set PASSWORD to at least 12 characters: anyone who can reach the pages of this application could read and make bookings.',
    );
  const seconds = { pollSeconds: secondsIn(env, 'POLL_SECONDS', 60), checkSeconds: secondsIn(env, 'CHECK_SECONDS', 300) };
  return { ...place, ...seconds, clientId, clientSecret, baseUrl, password, timeZone };
}

function secondsIn(env: Environment, name: string, usual: number): number {
  const seconds = Number(env[name] ?? usual);
  if (!(seconds > 0)) throw new Error(`Set ${name} to a number of seconds, or leave it out: then it is ${usual}.`);
  return seconds;
}
