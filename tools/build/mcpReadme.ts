import { toolName } from '../../mcp/adapter/names.ts';
import { toolsOf } from '../../mcp/adapter/tools.ts';
import { brand } from '../../shared/brand.ts';
import { operations } from '../../shared/operations/index.ts';
import { scopes } from '../../shared/scopes.ts';

const name = `${brand.slug}-mcp`;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const doing = { read: 'reads', write: 'writes', destructive: 'asks the person first' } as const;

const toolRows = (): string[][] =>
  operations.map((operation) => [
    `\`${toolName(operation)}\``,
    operation.description,
    Object.keys(toolsOf([operation])[0]?.definition.inputSchema.properties ?? {})
      .map((key) => `\`${key}\``)
      .join(', ') || '–',
    doing[operation.effect],
  ]);

/** The README of the MCP server's package, from the core's declarations: what it says of tools is what they do. */
export const mcpReadme = (): string => `# ${name}

${brand.name} for AI agents, by the Model Context Protocol: an agent finds what can be booked, books, and cancels once you have agreed.

**Before you begin:** access by other applications needs the Pro plan of ${brand.name} or higher, and a client id and a client secret ([developer pages](${brand.docsUrl})), registered with the redirect address \`http://localhost:9000\`. Node.js 20.20 or newer.

## Connect

\`\`\`
npx ${name} login
\`\`\`

It asks for both, opens the consent page of ${brand.name}, and keeps the connection in a file that only your user can read. The tokens in it are not encrypted: whoever can read your files can use them. \`npx ${name} logout\` revokes and deletes them. The permissions:

${table(
  ['Permission', 'What it allows'],
  Object.entries(scopes).map(([scope, { words }]) => [`\`${scope}\``, words]),
)}

Then tell your client about the server:

\`\`\`json
{ "mcpServers": { "${brand.slug}": { "command": "npx", "args": ["-y", "${name}"] } } }
\`\`\`

## Tools

${table(['Tool', 'What it does', 'Arguments', ''], toolRows())}

- \`--read-only\` leaves out whatever changes something, \`--tools create_booking,list_event_types\` all but these.
- A start needs a UTC offset, or a time zone beside it. None is guessed.
- A booking whose answer was lost is looked for before the tool answers, and never sent blindly again. A call that was given up, or comes twice, books once.
- What cannot be taken back is shown to you first, where your client can ask you; else the agent has to say that you agreed.
- What others wrote, such as notes, is marked as data in every answer. Marks help a model; they do not force it. \`--read-only\` does.

## Over HTTP

\`${name} --http 4040\` serves \`http://127.0.0.1:4040/mcp\` for programs of this machine. Pages in a browser are refused, also those of this machine, unless \`--allow-origin\` names their host. On a machine that others use too, set \`SCHEDULING_MCP_KEY\`: callers then have to send it as a bearer token.
`;
