import { applicationHelp, loginOptions } from '../sdk/node/login.ts';
import { Misuse, portIn, readOptions as readTyped } from '../sdk/node/options.ts';
import { accountOption, copiedFrom, settingsIn, type Env, type Settings } from '../sdk/node/settings.ts';
import { brand } from '../shared/brand.ts';
import { allScopes } from '../shared/oauth/index.ts';
import { copied } from '../shared/values.ts';

export const programName = `${brand.slug}-mcp`;

/** The command that connects an account. A program that npm did not install, such as one built here, has no name in a terminal. */
export const loginCommandOf = (program = ''): string =>
  program.endsWith('main.js') && !program.includes('node_modules') ? `node ${JSON.stringify(program)} login` : `npx ${programName} login`;

export const loginCommand = loginCommandOf(process.argv[1]);

/** The command line's options and the environment's settings. */
export type ProgramOptions = ReturnType<typeof readOptions>;

export const help = `${programName}: ${brand.name} for AI agents, over the Model Context Protocol

  ${programName} login     connects an account: opens the consent page of ${brand.name}; you can also paste the address that it redirects to
  ${programName}           serves the protocol on standard input and output; a client starts it
  ${programName} status    shows which accounts are connected
  ${programName} logout    revokes and deletes the connection

One of several accounts, with each of these:
  --account <name>         a separate connection, under a name that you choose

Serving:
  --read-only              leaves out all tools that change something
  --tools <names>          only these tools, separated by commas
  --output-schemas         describes what each tool returns, for clients that write code
  --http <port>            serves http://127.0.0.1:<port>/mcp instead, to programs on this machine

Connecting:
  --redirect <address>     where the consent page redirects to (http://localhost:9000);
                           it must be registered for your application
  --no-browser             prints the address of the consent page without opening it

Environment:
  SCHEDULING_ACCESS_TOKEN  used instead of a connection
  SCHEDULING_CLIENT_ID     ${applicationHelp}
  SCHEDULING_CLIENT_SECRET
  SCHEDULING_BASE_URL      another address of the service (${brand.baseUrl})
  SCHEDULING_MCP_FOLDER    where the connection is kept, in a file that only you can read; without it,
                           login and logout are shared with npx ${brand.slug}
  SCHEDULING_MCP_KEY       the bearer token that HTTP callers must send
  HTTPS_PROXY, NO_PROXY    the proxy of a company's network; NODE_EXTRA_CA_CERTS names its certificate

Permissions it asks for: ${allScopes}`;

/** @throws an error for people if an option cannot be used */
export function readOptions(args: readonly string[], env: Env) {
  const flag = { type: 'boolean', default: false } as const;
  const { values, positionals } = readTyped(args, {
    'read-only': flag,
    tools: { type: 'string' },
    'output-schemas': flag,
    http: { type: 'string' },
    ...loginOptions,
    ...accountOption,
    help: { ...flag, short: 'h' },
    version: flag,
  });
  const [first = 'serve', ...more] = positionals;
  if (!isCommand(first) || more.length > 0) throw new Misuse(`"${positionals.join(' ')}" is not a command. See ${programName} --help.`);
  const only = values.tools
    ?.split(',')
    .map(copied)
    .filter((name) => name !== '');
  if (only?.length === 0) throw new Misuse('--tools takes the names of tools, separated by commas.');
  const ways = { connect: loginCommand, folder: 'SCHEDULING_MCP_FOLDER' };
  const settings: Settings = settingsIn(values.account === undefined ? env : { ...env, SCHEDULING_ACCOUNT: values.account }, ways);
  return {
    command: values.help ? ('help' as const) : values.version ? ('version' as const) : first,
    isReadOnly: values['read-only'],
    hasOutputSchemas: values['output-schemas'],
    only,
    http: values.http === undefined ? undefined : { port: portIn(values.http, 'http'), key: copiedFrom(env, 'SCHEDULING_MCP_KEY') },
    redirectUri: copied(values.redirect),
    opensBrowser: !values['no-browser'],
    ...settings,
  };
}

const isCommand = (word: string): word is 'serve' | 'login' | 'status' | 'logout' => ['serve', 'login', 'status', 'logout'].includes(word);
