import { brand } from '../../shared/brand.ts';
import { allScopes } from '../../shared/oauth/oauth.ts';
import { applicationHelp } from '../node/login.ts';
import { commands, dashed, type Command } from './commands.ts';

export const program = brand.slug;

/** Formats rows as two aligned columns. */
function columns(rows: readonly (readonly [name: string, words: string])[]): string {
  const width = Math.max(0, ...rows.map(([name]) => name.length));
  return rows.map(([name, words]) => `  ${name.padEnd(width)}  ${words}`).join('\n');
}

const environment = [
  ['SCHEDULING_ACCESS_TOKEN', 'used instead of a connection'],
  ['SCHEDULING_CLIENT_ID', applicationHelp],
  ['SCHEDULING_CLIENT_SECRET', 'the same'],
  ['SCHEDULING_BASE_URL', `another address of the service (${brand.baseUrl})`],
  ['SCHEDULING_FOLDER', 'where the connection is kept, in a file that only you can read'],
  ['SCHEDULING_ACCOUNT', 'the same as --account'],
  ['HTTPS_PROXY, NO_PROXY', "the proxy of a company's network; NODE_EXTRA_CA_CERTS names its certificate"],
] as const;

const ownCommands = [
  [
    `${program} login`,
    `connects an account: opens the consent page of ${brand.name}; you can also paste the address that it redirects to; --redirect <address> (http://localhost:9000), --no-browser`,
  ],
  [`${program} status`, 'shows which accounts are connected'],
  [`${program} logout`, 'revokes and deletes the connection'],
  [`${program} listen --port <port>`, 'receives deliveries on this machine, verifies them and prints them'],
  [`${program} trigger <event>`, 'sends your program a signed delivery with a sample record'],
] as const;

const listed = (all: readonly Command[]): string =>
  columns(all.map(({ group, verb, operation }) => [`${group} ${verb}`, operation.description]));

/** Lists the commands for one kind of record. */
export const helpOnGroup = (wanted: string): string => listed(commands.filter(({ group }) => group === wanted));

export const overview = (): string => `${program}: ${brand.name} from the command line

${columns(ownCommands)}

${listed(commands)}

Every command has --help and these options:
  --account <name>     one of several accounts, under a name that you choose: first with login, then with any command
  --json               prints JSON: one record, or a list of records
  --limit <number>     the maximum number of records in a list
  --time-zone <zone>   for starts without an offset and the times of bookings, such as Europe/Berlin
  --yes                does permanent actions without asking

Examples:
  ${program} bookings list --status CONFIRMED --limit 10
  ${program} bookings create --help
  ${program} contacts search --email ada@example.com --json

Environment:
${columns(environment)}

Permissions that login asks for:
  ${allScopes}`;

/** The help of one command: its options and how to call it. */
export function helpOn({ group, verb, operation, fields }: Command): string {
  const rows = fields.map(({ key, help, label, required, choices }) => {
    const words = [
      `${help === '' ? label : help}${required ? ' (required)' : ''}`,
      choices && `One of ${choices.map(({ value }) => value).join(', ')}`,
    ];
    return [`--${dashed(key)}`, words.filter((each) => each !== undefined).join('. ')] as const;
  });
  const example = fields
    .filter(({ required }, index) => required || index === 0)
    .map(
      ({ key, example: value, choices, control }) =>
        `--${dashed(key)} ${quoted(value ?? choices?.[0]?.value ?? `<${control === 'answers' ? 'question=answer' : dashed(key)}>`)}`,
    );
  const options = rows.length === 0 ? '' : `\n\n${columns(rows)}`;
  return `${program} ${group} ${verb}: ${operation.description}${options}

Example:
  ${[program, group, verb, ...example].join(' ')}`;
}

/** Double quotes work in every shell, including those of Windows. */
const quoted = (value: string): string => (/\s/.test(value) ? `"${value}"` : value);
