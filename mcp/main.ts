import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../shared/api/transport.ts';
import { Account } from './adapter/account.ts';
import { serversOf } from './adapter/server.ts';
import { openInBrowser } from '../sdk/node/browser.ts';
import { ConnectionFile } from '../sdk/node/connectionFile.ts';
import { connectionIn } from '../sdk/node/connectionIn.ts';
import { connectPerson } from '../sdk/node/connectPerson.ts';
import { clearUp, openWritesIn } from '../sdk/node/openWrites.ts';
import { transportOf } from './connection.ts';
import { serveHttp } from './http.ts';
import { help, loginCommand, readOptions, type Options } from './options.ts';
import { serveClient } from './stdio.ts';
import manifest from './package.json' with { type: 'json' };

const clock: Clock = { now: () => Date.now(), sleep: (milliseconds) => sleep(milliseconds), random: () => Math.random() };

const pause = async (milliseconds: number): Promise<void> => sleep(milliseconds, undefined, { ref: false });

/** Standard output belongs to the protocol, so messages to people go to standard error. */
const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** The current account; a new one if someone connects another account while this program runs. */
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
  const servers = serversOf({ version: manifest.version, account: accounts(file), log: say, isReadOnly, only });
  if (http === undefined) return serveClient(servers, say);
  const serving = await serveHttp(servers.make, { ...http, log: say });
  say(
    `Serving at ${serving.address}${http.key === undefined ? '. Every program on this machine can use it. Set SCHEDULING_MCP_KEY to require a key' : ', to callers with the key'}.`,
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
      return connectPerson(file, { ...options, openInBrowser, say });
    case 'logout':
      await connectionIn(file).disconnect();
      return say('Disconnected. The tokens are revoked and deleted.');
    case 'serve':
      return serve(file, options);
  }
}

main().catch((error: unknown) => {
  say(error instanceof Error ? ('sentence' in error ? String(error.sentence) : error.message) : String(error));
  process.exitCode = 1;
});
