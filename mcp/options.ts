import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Misuse, readOptions as readTyped } from '../sdk/node/options.ts';
import { userFolder, type Env } from '../sdk/node/settings.ts';
import { brand } from '../shared/brand.ts';
import { allScopes } from '../shared/oauth/index.ts';

export const programName = `${brand.slug}-mcp`;

/** What connects an account. A program that npm did not install, such as one that was built here, has no name in a terminal. */
export const loginCommandOf = (program = ''): string =>
  program.endsWith('main.js') && !program.includes('node_modules') ? `node ${JSON.stringify(program)} login` : `npx ${programName} login`;

export const loginCommand = loginCommandOf(process.argv[1]);

export interface Options {
  command: 'serve' | 'login' | 'status' | 'logout' | 'help' | 'version';
  isReadOnly: boolean;
  hasOutputSchemas: boolean;
  only: string[] | undefined;
  http: { port: number; key: string | undefined } | undefined;
  redirectUri: string;
  opensBrowser: boolean;
  folder: string;
  baseUrl: string;
  clientId: string | undefined;
  clientSecret: string | undefined;
}

export const help = `${programName}: ${brand.name} for AI agents, over the Model Context Protocol

  ${programName} login     connects an account: opens the consent page of ${brand.name}
  ${programName}           serves the protocol on standard input and output; a client starts it
  ${programName} status    says whose account is connected
  ${programName} logout    revokes and deletes the connection

Serving:
  --read-only              leaves out all tools that change something
  --tools <names>          only these tools, separated by commas
  --output-schemas         describes what each tool returns, for clients that write code
  --http <port>            serves http://127.0.0.1:<port>/mcp instead, to programs of this machine

Connecting:
  --redirect <address>     where the consent page sends its answer (http://localhost:9000);
                           it must be registered for your application
  --no-browser             prints the address of the consent page without opening it

Environment:
  SCHEDULING_CLIENT_ID     what ${brand.name} gave you for your application; login asks for what is missing
  SCHEDULING_CLIENT_SECRET
  SCHEDULING_BASE_URL      another address of the service (${brand.baseUrl})
  SCHEDULING_MCP_FOLDER    where the connection is kept, in a file that only you can read; without it,
                           login and logout are shared with npx ${brand.slug}
  SCHEDULING_MCP_KEY       the bearer token that HTTP callers must send

Permissions it asks for: ${allScopes}`;

const options = {
  'read-only': {},
  tools: { value: 'list_event_types,create_booking' },
  'output-schemas': {},
  http: { value: '4040' },
  redirect: { value: 'http://localhost:9000' },
  'no-browser': {},
  help: { short: 'h' },
  version: {},
} as const;

/** @throws an error for people if an option cannot be used */
export function readOptions(args: readonly string[], env: Env): Options {
  const { values, words } = readTyped(
    args,
    options,
    (name, near) => `There is no option --${name}. ${near === undefined ? `See ${programName} --help.` : `Did you mean --${near}?`}`,
  );
  const [first = 'serve', ...more] = words;
  if (!isCommand(first) || more.length > 0) throw new Misuse(`"${words.join(' ')}" is not a command. See ${programName} --help.`);
  const [http, redirect, tools] = [values.get('http')?.[0], values.get('redirect')?.[0], values.get('tools')?.[0]];
  return {
    command: values.has('help') ? 'help' : values.has('version') ? 'version' : first,
    isReadOnly: values.has('read-only'),
    hasOutputSchemas: values.has('output-schemas'),
    only: tools
      ?.split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
    http: http === undefined ? undefined : { port: portOf(http), key: env['SCHEDULING_MCP_KEY'] || undefined },
    redirectUri: redirect ?? options.redirect.value,
    opensBrowser: !values.has('no-browser'),
    folder: folderOf(env),
    baseUrl: env['SCHEDULING_BASE_URL'] || brand.baseUrl,
    clientId: env['SCHEDULING_CLIENT_ID'] || undefined,
    clientSecret: env['SCHEDULING_CLIENT_SECRET'] || undefined,
  };
}

const isCommand = (word: string): word is 'serve' | 'login' | 'status' | 'logout' => ['serve', 'login', 'status', 'logout'].includes(word);

function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new Error(`--http takes a port from 0 to 65535, not "${text}".`);
  return port;
}

/** The folder of the package's command line, so that one login serves both. A connection of version 1 is used until it is deleted. */
function folderOf(env: Env): string {
  const named = env['SCHEDULING_MCP_FOLDER'] || env['SCHEDULING_FOLDER'];
  const former = userFolder(env, programName);
  return named || (existsSync(join(former, 'connection.json')) ? former : userFolder(env, brand.slug));
}
