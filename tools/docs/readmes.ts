import { toolName } from '../../mcp/adapter/names.ts';
import { toolsOf } from '../../mcp/adapter/tools.ts';
import { inN8n } from '../../n8n/adapter/names.ts';
import { placeOf } from '../../sdk/client/names.ts';
import { eventRows } from '../../shared/events.ts';
import { scopes } from '../../shared/oauth/scopes.ts';
import { operationLabel } from '../../shared/operations/define.ts';
import { formFields } from '../../shared/operations/form.ts';
import { operations, searches } from '../../shared/operations/index.ts';
import type { RecordKind } from '../../shared/records/records.ts';
import { resources } from '../../shared/records/resources.ts';

type Rows = readonly (readonly string[])[];

const doing = { read: 'reads', write: 'writes', destructive: 'asks the person first' } as const;

/** The tables in the READMEs of the packages that follow from the core's declarations: the headings first. */
const tables: Record<string, () => Rows> = {
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

/** A README with its tables as they should be. Each is between `<!-- name -->` and `<!-- /name -->`; people write the rest. */
export const withTables = (readme: string): string =>
  readme.replaceAll(/(?<=<!-- (\w+) -->\n)[^]*?(?=<!-- \/\1 -->)/g, (table, name: string) => {
    const [head = [], ...rows] = tables[name]?.() ?? [];
    return head.length === 0 ? table : [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
  });
