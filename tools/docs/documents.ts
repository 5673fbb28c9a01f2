import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { operations, searches, wordList } from '../../shared/operations/index.ts';
import type { RecordKind } from '../../shared/records/fields.ts';
import { toolName, toolsOf } from '../../mcp/adapter/tools.ts';
import { inN8n } from '../../n8n/adapter/names.ts';
import { placeOf } from '../../sdk/client/methods.ts';
import { eventRows, listedRows } from '../../shared/events.ts';
import { scopes } from '../../shared/scopes.ts';
import { operationLabel } from '../../shared/operations/define.ts';
import { formFields } from '../../shared/operations/form.ts';
import { resources } from '../../shared/records/resources.ts';
import { programName } from '../../mcp/options.ts';
import { openApiDocument } from '../../sandbox/openapi/document.ts';
import { brand, publicClientId } from '../../shared/brand.ts';
import zapierApp from '../../zapier/app.ts';
import { root } from '../root.cjs';
import { packageReference } from './packageReference.ts';
import { sdkTypes } from './sdkTypes.ts';
import { contractTable } from '../../test/contract/requirements/table.ts';
import { referenceParts, table } from './reference.ts';
import { zoneChanges } from './zoneChanges.ts';

const goldenBrand = JSON.parse(await readFile(join(root, 'test', '__golden__', 'brand.json'), 'utf8')) as { name: string };

const read = (file: string): Promise<string> => readFile(join(root, file), 'utf8');

type Written = readonly [file: string, text: string];

/** A file, formatted like all others. */
async function formatted(file: string, text: string): Promise<Written> {
  const filepath = join(root, file);
  return [file, await format(text, { ...(await resolveConfig(filepath)), filepath })];
}

/** The types of the developer package's client, and the changes of time zones. */
const sources = async (): Promise<Written[]> =>
  Promise.all([
    ...Object.entries(sdkTypes([...operations, ...searches])).map(([name, text]) => formatted(`sdk/client/api/${name}`, text)),
    formatted('shared/time/zoneChanges.ts', await zoneChanges()),
  ]);

/** An example of the n8n package. Its triggers start on every event that they can find. */
const example = async (file: string): Promise<Written> =>
  formatted(
    file,
    (await read(file)).replaceAll(
      /("type": "[^"]*\.scheduler(Polling)?Trigger"[^]*?"events": )\[[^\]]*\]/g,
      (_trigger, before: string, polling?: string) =>
        before + JSON.stringify((polling === undefined ? eventRows : listedRows(eventRows)).map(({ name }) => name)),
    ),
  );

/** The pages with generated parts. */
const pages = [
  ...['README.md', 'n8n/README.md', 'mcp/README.md', 'sdk/README.md'],
  ...['docs/use/code.md', 'docs/use/agents.md', 'docs/use/zapier.md'],
  ...['scopes', 'assumptions', 'contract', 'fields', 'package', 'triggers'].map((name) => `docs/reference/${name}.md`),
];

const documents = (): Promise<Written[]> =>
  Promise.all([
    ...pages.map(async (file): Promise<Written> => [file, withInstallLinks(withParts(await read(file), sentences))]),
    formatted('docs/openapi.json', JSON.stringify(openApiDocument())),
    ...globSync('n8n/examples/*.json', { cwd: root }).map(example),
  ]);

/** Everything that is generated and committed. The types come first, because the reference of the package describes them. */
export const parts = [sources, documents];

/** The command with which every client starts the server, as in the guide for agents. */
const server = { command: 'npx', args: ['-y', programName] };

/** A document whose install links contain this server. A page may link to these https addresses, unlike to the clients' own schemes. */
const withInstallLinks = (document: string): string =>
  document
    .replaceAll(/(?<=cursor\.com\/en\/install-mcp\?)[^)]*/g, adding(Buffer.from(JSON.stringify(server)).toString('base64')))
    .replaceAll(/(?<=vscode\.dev\/redirect\/mcp\/install\?)[^)]*/g, adding(JSON.stringify({ type: 'stdio', ...server })));

const adding = (config: string): string => `name=${encodeURIComponent(brand.slug)}&config=${encodeURIComponent(config)}`;

const doing = { read: 'reads', write: 'writes', destructive: 'asks the person first' } as const;

/** The number of operations for each kind of record. */
const counted = (): string =>
  (Object.keys(resources) as RecordKind[])
    .map((kind) => [operations.filter(({ resource }) => resource === kind).length, resources[kind]] as const)
    .map(([count, { label, plural }]) => `${count} for ${count === 1 ? 'the ' : ''}${(count === 1 ? label : plural).toLowerCase()}`)
    .join(', ');

/** The number of events, and of those that lists show. */
const events = (): string => {
  const [all, polled] = [eventRows.length, listedRows(eventRows).length];
  return all === polled ? `${all} events, delivered or polled` : `${all} events, delivered, ${polled} of them also polled`;
};

type Steps = Readonly<Record<string, { display: { label?: string } }>> | undefined;

const labelsOf = (steps: Steps = {}): string[] => Object.values(steps).map(({ display }) => String(display.label));

const some = (steps: Steps, what: string): string => `${labelsOf(steps).length} ${what} (${labelsOf(steps).join(', ').toLowerCase()})`;

const listed = (steps: Steps): string => wordList(labelsOf(steps).map((label) => `*${label}*`));

/** Tables in the READMEs that follow from the core's declarations. The first row is the headings. */
const tables: Record<string, () => readonly (readonly string[])[]> = {
  platforms: () => [
    ['', 'Starts on', 'Does'],
    [
      '[Zapier](docs/use/zapier.md)',
      `${eventRows.length} instant triggers`,
      `${some(zapierApp.creates, 'actions')}, ${some(zapierApp.searches, 'searches')}`,
    ],
    ['[n8n](docs/use/n8n.md)', events(), `${operations.length} operations (${counted()}), also as a tool of an AI agent`],
    [
      '[AI agents](docs/use/agents.md) (MCP)',
      '–',
      `${operations.length} tools, of which ${operations.filter(({ effect }) => effect === 'destructive').length} ask first`,
    ],
    ['[Your own code](docs/use/code.md)', events(), `${operations.length + searches.length} methods and commands, OAuth`],
  ],
  permissions: () => [['Permission', 'What it allows'], ...Object.entries(scopes).map(([scope, { words }]) => [`\`${scope}\``, words])],
  events: () => [['Event', 'When'], ...eventRows.map(({ label, description }) => [label, description.replace(/^Triggers when /, '')])],
  operations: () => [
    ['Operation', 'What it does', 'Fields', 'Permission'],
    ...(Object.keys(resources) as RecordKind[])
      .flatMap((resource) => operations.filter((operation) => operation.resource === resource))
      .map((operation) => [
        operationLabel(inN8n(operation)),
        operation.description,
        formFields(operation.input)
          .map(({ label, required }) => (required ? `**${label}**` : label))
          .join(', ') || '–',
        operation.scope === 'any' ? 'any' : `\`${operation.scope}\``,
      ]),
  ],
  tools: () => [
    ['Tool', 'What it does', 'Arguments', ''],
    ...operations.map((operation) => [
      `\`${toolName(operation)}\``,
      operation.description,
      Object.keys(toolsOf([operation])[0]?.definition.inputSchema.properties ?? {})
        .map((key) => `\`${key}\``)
        .join(', ') || '–',
      doing[operation.effect],
    ]),
  ],
  methods: () => [
    ['Method', 'What it does', 'Input', 'Returns'],
    ...[...operations, ...searches].map((operation) => {
      const { group, method } = placeOf(operation);
      const fields = formFields(operation.input).map(({ key, required }) => `\`${key}\`${required ? '' : '?'}`);
      return [`\`${group}.${method}\``, operation.description, fields.join(', ') || '–', operation.yields === 'many' ? 'list' : 'record'];
    }),
  ],
};

/** Texts that depend on the brand or on what exists. */
const sentences: Record<string, () => string> = {
  ...referenceParts,
  contract: contractTable,
  package: packageReference,
  zapierSteps: () =>
    `The app has an instant trigger for every [event](../reference/triggers.md), the actions ${listed(zapierApp.creates)}, and the searches ${listed(zapierApp.searches)}.`,
  // The golden files contain the project's original name.
  standIn: () =>
    brand.name === goldenBrand.name
      ? `**"${brand.name}" is a placeholder** for your scheduling service. [One command](docs/provider/brand.md) puts your name in its place.`
      : '',
  application: () =>
    publicClientId(brand.baseUrl) === undefined
      ? `First, register an application ([developer pages](${brand.docsUrl})) with the redirect address \`http://localhost:9000\`: \`login\` asks for its client id and secret.`
      : '',
};

/** A document with its generated parts up to date. Each is between `<!-- name -->` and `<!-- /name -->`; people write the rest. */
const withParts = (document: string, texts: Readonly<Record<string, () => string>>): string =>
  document.replaceAll(/(?<=<!-- (\w+) -->\n)[^]*?(?=<!-- \/\1 -->)/g, (known, name: string) => {
    const [head, ...rows] = tables[name]?.() ?? [];
    const text = head === undefined ? texts[name]?.() : table(head, rows);
    return text === undefined ? known : text === '' ? '' : `${text}\n`;
  });
