import { brand } from '../../shared/brand.ts';
import { allScopes } from '../../shared/oauth/oauth.ts';
import { commands, dashed, type Command } from './commands.ts';

export const program = brand.slug;

/** The maximum width of a line of help, so that terminals do not break words. An example that people copy stays in one line. */
const longest = 100;

/** Puts words after a beginning, and continues on indented lines. */
function broken(beginning: string, words: string, indent: number): string {
  const lines = [beginning];
  for (const word of words.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line.length + 1 + word.length <= longest) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(' '.repeat(indent) + word);
  }
  return lines.join('\n');
}

/** Two columns. The second continues below its own beginning. */
const column = (name: string, words: string, width: number): string => broken(`  ${name.padEnd(width)} `, words, width + 4);

const environment = [
  ['SCHEDULING_ACCESS_TOKEN', 'used instead of a connection'],
  ['SCHEDULING_CLIENT_ID', `what ${brand.name} gave you for your application; login asks for what is missing`],
  ['SCHEDULING_CLIENT_SECRET', 'the same'],
  ['SCHEDULING_BASE_URL', `another address of the service (${brand.baseUrl})`],
  ['SCHEDULING_FOLDER', 'where the connection is kept, in a file that only you can read'],
] as const;

/** The overview of all commands. */
export function overview(): string {
  const rows = commands.map(({ group, verb, operation }) => [`${group} ${verb}`, operation.description] as const);
  const width = Math.max(...rows.map(([name]) => name.length));
  const own = [
    [
      `${program} login`,
      `connects an account: opens the consent page of ${brand.name}; --redirect <address> (http://localhost:9000), --no-browser`,
    ],
    [`${program} status`, 'says whose account is connected'],
    [`${program} logout`, 'revokes and deletes the connection'],
    [`${program} listen --port <port>`, 'receives deliveries on this machine, verifies them and prints them'],
    [`${program} trigger <event>`, 'sends your program a signed delivery with a sample record'],
  ] as const;
  const ownWidth = Math.max(...own.map(([name]) => name.length));
  return `${program}: ${brand.name} from the command line

${own.map(([name, words]) => column(name, words, ownWidth)).join('\n')}

${rows.map(([name, words]) => column(name, words, width)).join('\n')}

Every command has --help and these options:
  --json               prints JSON: one record, or a list of records
  --limit <number>     the maximum number of records in a list
  --time-zone <zone>   for starts without an offset and the times of bookings, such as Europe/Berlin
  --yes                does permanent actions without asking

Examples:
  ${program} bookings list --status CONFIRMED --limit 10
  ${program} bookings create --help
  ${program} contacts search --email ada@example.com --json

Environment:
${environment.map(([name, words]) => column(name, words, 24)).join('\n')}

Permissions that login asks for:
  ${allScopes}`;
}

/** The help of the commands that connect an account. */
export const connectionHelp = {
  login: `${program} login: connects an account over the consent page of ${brand.name}

  --redirect <address>  the redirect address of your application (http://localhost:9000)
  --no-browser          only prints the address of the consent page

It asks for the client id and secret of your application, unless SCHEDULING_CLIENT_ID and
SCHEDULING_CLIENT_SECRET are set, and saves the connection for all programs of your user.`,
  status: `${program} status: says whose account is connected`,
  logout: `${program} logout: revokes and deletes the connection`,
} as const;

/** The help of one command: its options and how to call it. */
export function helpOn({ group, verb, operation, fields }: Command): string {
  const rows = fields.map(({ key, help, label, required, choices }) => {
    const words = [
      `${help === '' ? label : help}${required ? ' (required)' : ''}`,
      choices && `One of ${choices.map(({ value }) => value).join(', ')}`,
    ];
    return [`--${dashed(key)}`, words.filter((each) => each !== undefined).join('. ')] as const;
  });
  const width = Math.max(0, ...rows.map(([name]) => name.length));
  const example = fields
    .filter(({ required }, index) => required || index === 0)
    .map(
      ({ key, example: value, choices, control }) =>
        `--${dashed(key)} ${quoted(value ?? choices?.[0]?.value ?? (control === 'answers' ? '{}' : `<${dashed(key)}>`))}`,
    );
  const options = rows.length === 0 ? '' : `\n\n${rows.map(([name, words]) => column(name, words, width)).join('\n')}`;
  return `${broken(`${program} ${group} ${verb}:`, operation.description, 0)}${options}

Example:
  ${[program, group, verb, ...example].join(' ')}`;
}

const quoted = (value: string): string => (/[\s"{]/.test(value) ? `'${value}'` : value);
