import type { Writable } from 'node:stream';
import { runOperation, getCurrentUser } from '../shared/operations/index.ts';
import { brand } from '../shared/brand.ts';
import { ServiceError, type Clock } from '../shared/client/index.ts';
import type { ServiceRecord } from '../shared/records/index.ts';
import { CallingAccount, accountState, clockWith } from './adapter/account.ts';
import { serverFactory } from './adapter/server.ts';
import { connectionIn, type ConnectionFile } from '../sdk/node/connectionFile.ts';
import { statusOf, type Connecting } from '../sdk/node/login.ts';
import { clearUp, openWritesIn } from '../sdk/node/openWrites.ts';
import { accessOf, type Settings } from '../sdk/node/settings.ts';
import { transportWith } from './adapter/transport.ts';
import { agentWire, connectingAtFirst, notConnected, transportOf } from './connection.ts';
import { serveHttp } from './http.ts';
import { help, loginCommand, programName, readOptions, type ProgramOptions } from './options.ts';
import { serveClient, type ServingProcess } from './stdio.ts';
import manifest from './package.json' with { type: 'json' };

/** The parts of the process that this program uses. */
export interface Process extends ServingProcess {
  argv: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  stderr: Writable;
  exitCode?: number | string | null | undefined;
  once(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
}

/** Connects an account with the person at this terminal. */
export type Connect = (file: ConnectionFile, connecting: Omit<Connecting, 'openInBrowser'>) => Promise<void>;

const ownClock = clockWith();

/**
 * The current account. If someone connects another account while this program runs, that one takes its place.
 *
 * @param opensPage whether a connection that has expired or was revoked counts as none, so that the consent page is opened
 */
export function accounts(file: ConnectionFile, opensPage = false, clock: Clock = ownClock): () => CallingAccount {
  let current: { id: string; account: CallingAccount } | undefined;
  let ended: { id: string; error: ServiceError } | undefined;
  return () => {
    const connected = file.read();
    const { id, baseUrl } = connected;
    if (ended?.id === id) throw ended.error;
    if (current?.id !== id) {
      const end = ({ message }: ServiceError): ServiceError => (ended = { id, error: notConnected(message) }).error;
      const transport = transportOf(file, id, undefined, opensPage ? end : undefined);
      const folder = file.openWrites(connected);
      void clearUp(folder);
      current = {
        id,
        account: new CallingAccount({ baseUrl, transport, clock, state: accountState(clock, openWritesIn(folder)), owner: id }),
      };
    }
    return current.account;
  };
}

/** The account of a token passed to this program. */
function tokenAccount(settings: Settings): () => CallingAccount {
  const { auth, baseUrl, store } = accessOf(settings);
  const account = new CallingAccount({
    baseUrl,
    transport: transportWith(() => auth, agentWire),
    clock: ownClock,
    state: accountState(ownClock, store),
    owner: settings.accessToken ?? '',
  });
  return () => account;
}

/** The user whose account is connected, or whose token was passed. */
async function userOf(settings: Settings): Promise<ServiceRecord> {
  const account = settings.accessToken === undefined ? accounts(settings.file) : tokenAccount(settings);
  const signal = new AbortController().signal;
  return account().call(signal, (client) => runOperation(client, getCurrentUser, { fields: {} }, { shape: 'presented' }));
}

/** The next step after a login. */
function next(account: string | undefined): string {
  const args = ['-y', programName, ...(account === undefined ? [] : ['--account', account])];
  const servers = { [account === undefined ? brand.slug : `${brand.slug}-${account}`]: { command: 'npx', args } };
  return `Next: add the server to your client, as the guide shows: ${JSON.stringify({ mcpServers: servers })}`;
}

/** Advice that a person at this machine can follow. */
const words = { reconnect: `To reconnect, run in a terminal: ${loginCommand}` };

async function serve(options: ProgramOptions, own: Process, say: (line: string) => void, connect: Connect): Promise<void> {
  const { isReadOnly, hasOutputSchemas, only, http, file, accessToken, clientId, clientSecret } = options;
  // Only a client that started this program for its own person may open a page on their screen.
  const opensPage = http === undefined && accessToken === undefined && clientId !== undefined && clientSecret !== undefined;
  const current = accessToken === undefined ? accounts(file, opensPage) : tokenAccount(options);
  // Stops waiting for the consent page once the client has left, because the next program needs the port.
  const left = new AbortController();
  own.stdin.once('end', () => left.abort());
  const account = opensPage
    ? connectingAtFirst(current, (show) =>
        connect(file, { ...options, say, takesPaste: false, show, readUser: () => userOf(options), signal: left.signal, next: '' }),
      )
    : current;
  const makeServer = serverFactory({ version: manifest.version, account, log: say, isReadOnly, hasOutputSchemas, only, words });
  if (http === undefined) return serveClient(makeServer, say, own);
  const serving = await serveHttp(makeServer, { ...http, log: say });
  say(
    `Serving at ${serving.address}${http.key === undefined ? '. Every program on this machine can use it. Set SCHEDULING_MCP_KEY to require a key' : ', to callers with the key'}.`,
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const) own.once(signal, () => void serving.close().then(() => own.exit(0)));
}

/** Runs one command. An error is reported in a sentence, with exit code 1. */
export async function runProgram(own: Process, connect: Connect): Promise<void> {
  // Standard output belongs to the protocol, so messages to people go to standard error.
  const say = (line: string): void => void own.stderr.write(`${line}\n`);
  try {
    const options = readOptions(own.argv.slice(2), own.env);
    const { file } = options;
    const userIn = (of: ConnectionFile, accessToken?: string) => userOf({ ...options, file: of, accessToken });
    switch (options.command) {
      case 'help':
        return void own.stdout.write(`${help}\n`);
      case 'version':
        return void own.stdout.write(`${manifest.version}\n`);
      case 'login':
        return await connect(file, { ...options, say, takesPaste: true, readUser: () => userIn(file), next: next(file.account) });
      case 'status':
        return void own.stdout.write(`${await statusOf(options, userIn)}\n`);
      case 'logout':
        await connectionIn(file).disconnect();
        return say('Disconnected. The tokens are revoked and deleted.');
      case 'serve':
        return await serve(options, own, say, connect);
    }
  } catch (error) {
    say(error instanceof ServiceError ? error.sentence : (error as Error).message);
    own.exitCode = 1;
  }
}
