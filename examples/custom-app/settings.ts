/** The settings of the application, from its environment. */
export interface Settings {
  clientId: string;
  clientSecret: string;
  /** The address of the service if it is not the published one, for example the sandbox. */
  baseUrl: string | undefined;
  /** Where the service and the consent page reach this application. It must be public and https unless the service runs on this machine. */
  publicUrl: string;
  /** Whether the service can reach that address and delivers there. */
  isReachable: boolean;
  /** How often the lists are compared, in seconds; `undefined` if they are not. */
  pollSeconds: number | undefined;
  /** How often the subscription is checked, in seconds. A tenth of it after a failure, and after a delivery with a wrong signature. */
  checkSeconds: number;
  /** The address of the application's own pages. */
  siteUrl: string;
  /** The password for the own pages; `undefined` if none is needed, which is only allowed on loopback. */
  password: string | undefined;
  /** The time zone of the pages; `undefined` for the host's own. */
  timeZone: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Values from the command line and the addresses. */
export interface Place {
  siteUrl: string;
  publicUrl: string;
  isReachable: boolean;
  polls: boolean;
}

/** @throws Error for people if a setting is missing, or if everyone could open the own pages */
export function readSettings(env: Environment, { siteUrl, publicUrl, isReachable, polls }: Place): Settings {
  const [pollSeconds, checkSeconds] = [secondsIn(env, 'POLL_SECONDS', 60), secondsIn(env, 'CHECK_SECONDS', 300)];
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
    checkSeconds,
    siteUrl,
    password: password === '' ? undefined : password,
    timeZone: timeZone || undefined,
  };
}

function secondsIn(env: Environment, name: string, usual: number): number {
  const seconds = Number(env[name] ?? usual);
  if (!(seconds > 0)) throw new Error(`Set ${name} to a number of seconds, or leave it out: then it is ${usual}.`);
  return seconds;
}
