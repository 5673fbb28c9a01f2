import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { brand } from '../shared/brand.ts';
import type { Clock } from '../shared/api/transport.ts';
import { Account } from './adapter/account.ts';
import { serverFactory } from './adapter/server.ts';
import { ConnectionFile } from '../sdk/node/connectionFile.ts';
import { login } from '../sdk/node/login.ts';
import { clearUp, openWritesIn } from '../sdk/node/openWrites.ts';
import { askPerson } from '../sdk/node/prompt.ts';
import { disconnect, transportOf } from './connection.ts';
import { serveHttp } from './http.ts';
import { help, loginCommand, readOptions, type Options } from './options.ts';
import { serveClient } from './stdio.ts';
import manifest from './package.json' with { type: 'json' };

const clock: Clock = { now: () => Date.now(), sleep: (milliseconds) => sleep(milliseconds), random: () => Math.random() };

const pause = async (milliseconds: number): Promise<void> => sleep(milliseconds, undefined, { ref: false });

/** Standard output belongs to the protocol: whatever is said to people goes beside it. */
const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** A person reads, thinks and agrees in less. */
const consentMs = 10 * 60 * 1000;

const waysToOpen: Partial<Record<NodeJS.Platform, string[]>> = { darwin: ['open'], win32: ['rundll32', 'url.dll,FileProtocolHandler'] };

function openInBrowser(address: string): void {
  const [program = '', ...args] = waysToOpen[process.platform] ?? ['xdg-open'];
  const opened = spawn(program, [...args, address], { stdio: 'ignore', detached: true });
  // Where there is no browser the printed address is left.
  opened.once('error', () => undefined);
  opened.unref();
}

async function connect(file: ConnectionFile, { baseUrl, clientId, clientSecret, redirectUri, opensBrowser }: Options): Promise<void> {
  const application = {
    baseUrl,
    clientId: clientId ?? (await askPerson('Client id (SCHEDULING_CLIENT_ID)')),
    clientSecret: clientSecret ?? (await askPerson('Client secret (SCHEDULING_CLIENT_SECRET)', { isSecret: true })),
  };
  const show = (address: string): void => {
    say(`Agree on the consent page of ${brand.name}:\n\n  ${address}\n`);
    if (opensBrowser) openInBrowser(address);
  };
  await login(file, application, { redirectUri, show, patienceMs: consentMs });
  say(
    `Connected. The tokens and the client secret are kept in ${file.path}, which only your user can read. They are not encrypted: whoever can read your files can use them. \`logout\` revokes and deletes them.`,
  );
}

/** One account after the other, where somebody connects another one while this program runs. */
function accounts(file: ConnectionFile): () => Account {
  let current: { id: string; account: Account } | undefined;
  return () => {
    const { id, baseUrl } = file.read();
    if (current?.id !== id) {
      void clearUp(file.openWrites(id));
      current = {
        id,
        account: new Account({ baseUrl, transport: transportOf(file), clock, pause, store: openWritesIn(file.openWrites(id)) }),
      };
    }
    return current.account;
  };
}

async function serve(file: ConnectionFile, { isReadOnly, only, http }: Options): Promise<void> {
  const factory = serverFactory({ version: manifest.version, account: accounts(file), log: say, isReadOnly, only });
  if (http === undefined) return serveClient(factory, say);
  const serving = await serveHttp(factory, { ...http, log: say });
  say(
    `Serving at ${serving.address}${http.key === undefined ? '. Every program of this machine can use it; set SCHEDULING_MCP_KEY to ask for a key' : ', to callers with the key'}.`,
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void serving.close().then(() => process.exit(0)));
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2), process.env);
  const file = new ConnectionFile(options.folder, { connect: loginCommand, folder: 'SCHEDULING_MCP_FOLDER' });
  switch (options.command) {
    case 'help':
      return void process.stdout.write(`${help}\n`);
    case 'version':
      return void process.stdout.write(`${manifest.version}\n`);
    case 'login':
      return connect(file, options);
    case 'logout':
      await disconnect(file);
      return say('Disconnected: the tokens are revoked and forgotten.');
    case 'serve':
      return serve(file, options);
  }
}

main().catch((error: unknown) => {
  say(error instanceof Error ? ('sentence' in error ? String(error.sentence) : error.message) : String(error));
  process.exitCode = 1;
});
