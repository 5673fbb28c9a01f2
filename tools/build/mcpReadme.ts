import { toolName } from '../../mcp/adapter/names.ts';
import { toolsOf } from '../../mcp/adapter/tools.ts';
import { brand } from '../../shared/brand.ts';
import { operations } from '../../shared/operations/index.ts';
import { scopes } from '../../shared/oauth/scopes.ts';
import { inMarkdown } from './brand/replace.ts';

const name = `${brand.slug}-mcp`;
const product = inMarkdown(brand.name);

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

/** The README of the MCP server's package. Its tables of tools come from the core's declarations. */
export const mcpReadme = (): string => `# ${name}

${product} for AI agents, over the Model Context Protocol: an agent can see what can be booked, book it, and cancel with your consent.

**Before you begin:** you need the Pro plan of ${product} or higher, and Node.js 20.20 or newer. You also need a client id and a client secret ([developer pages](${brand.docsUrl})), registered with the redirect address \`http://localhost:9000\`.

## Connect

\`\`\`
npx ${name} login
\`\`\`

It asks for the client id and secret, opens the consent page of ${product}, and saves the connection in a file that only your user can read. The tokens in it are not encrypted: anyone who can read your files can use them. \`npx ${name} logout\` revokes and deletes them. The server needs these permissions:

${table(
  ['Permission', 'What it allows'],
  Object.entries(scopes).map(([scope, { words }]) => [`\`${scope}\``, words]),
)}

Then add the server to your client:

\`\`\`json
{ "mcpServers": { "${brand.slug}": { "command": "npx", "args": ["-y", "${name}"] } } }
\`\`\`

## Tools

${table(['Tool', 'What it does', 'Arguments', ''], toolRows())}

- \`--read-only\` leaves out all tools that change something. \`--tools create_booking,list_event_types\` offers only these two.
- A start needs a UTC offset or a time zone. Nothing is guessed.
- If the answer to a booking is lost, the tool looks for the booking before it answers, and never sends it again blindly. If an answer is lost, the same call looks for the booking before it books again.
- Permanent actions are shown to you first if your client can ask you. Otherwise the agent must confirm that you agreed.
- Text from others, such as notes, is marked as data in every answer. This helps a model, but cannot force it to ignore such text. For real protection, use \`--read-only\`.

## Over HTTP

\`${name} --http 4040\` serves \`http://127.0.0.1:4040/mcp\` to programs on this machine. All browser pages are refused, including those of this machine. If you share the machine, set \`SCHEDULING_MCP_KEY\`: callers must then send it as a bearer token.
`;
