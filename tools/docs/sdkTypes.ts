import { outputTables, recordTables, type FieldRow, type OutputKind } from '../../shared/records/fields.ts';
import { outputNames } from '../../shared/records/resources.ts';
import type { Form, Operation } from '../../shared/operations/define.ts';
import * as every from '../../shared/operations/all.ts';
import { formSchema, formFields, type FormField, zoneHelp } from '../../shared/operations/form.ts';
import { placeOf } from '../../sdk/client/methods.ts';

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const withArticle = (noun: string): string => `${/^[aeio]/.test(noun) ? 'An' : 'A'} ${noun}`;

/** The method and its resource in one name: `listBookings`. */
const nameOf = (operation: Operation): string =>
  `${placeOf(operation).method}${capital(operation.yields === 'many' ? `${operation.resource}s` : operation.resource)}`;

const nameOfInput = (operation: Operation): string => `${capital(nameOf(operation))}Input`;

/** A comment above a line, in the format that editors show. */
const comment = (lines: readonly string[], indent = '  '): string =>
  lines.length === 1
    ? `${indent}/** ${lines.join('')} */`
    : [`${indent}/**`, ...lines.map((line) => `${indent} *${line === '' ? '' : ` ${line}`}`), `${indent} */`].join('\n');

/** The TypeScript type for a JSON Schema, as far as forms use it. */
function typeOfSchema(schema: Record<string, unknown>): string {
  const { type, enum: choices, items } = schema;
  if (Array.isArray(choices)) return choices.map((choice) => `'${String(choice)}'`).join(' | ');
  if (type === 'array') return `readonly (${typeOfSchema(items as Record<string, unknown>)})[]`;
  if (type === 'object') return 'Readonly<Record<string, unknown>>';
  if (type === 'integer') return 'number';
  if (type === 'string' || type === 'number' || type === 'boolean') return type;
  throw new Error(`No type is known for ${JSON.stringify(schema)}: add it to tools/docs/sdkTypes.ts.`);
}

const input = (operation: Operation): string => {
  const { properties } = formSchema(operation.input);
  const fields = formFields(operation.input).map((field) => {
    const type = typeOfSchema(properties[field.key] ?? {});
    return `${comment(wordsOf(field, operation.input))}\n  ${field.key}${field.required ? '' : '?'}: ${type}${field.control === 'dateTime' ? ' | Date' : ''}${field.required ? '' : ' | undefined'};`;
  });
  const name = nameOfInput(operation);
  const { group, method: called } = placeOf(operation);
  const about = comment([`The input of \`${group}.${called}\`${fields.length === 0 ? ': nothing' : ''}.`], '');
  return fields.length === 0
    ? `${about}\nexport type ${name} = Readonly<Record<string, never>>;`
    : `${about}\nexport type ${name} = {\n${fields.join('\n')}\n};`;
};

const wordsOf = ({ help, label, example, control }: FormField, form: Form): string[] => [
  [
    `${help === '' ? label : help}.`,
    ...(control === 'dateTime' ? ['ISO 8601.'] : []),
    ...(example === undefined ? [] : [`Example: '${example}'.`]),
  ].join(' '),
  ...(control === 'dateTime' ? [`${zoneHelp(form, "the client's `timeZone`")}. If none is set, it is refused.`] : []),
];

const plainTypes = {
  string: 'string',
  id: 'string',
  datetime: 'string',
  number: 'number',
  boolean: 'boolean',
  object: 'Readonly<Record<string, unknown>>',
  any: 'unknown',
};

function typeOfValue({ type = 'string', children }: Pick<FieldRow, 'type' | 'children'>): string {
  if (type !== 'list') return plainTypes[type];
  const members = Object.entries<FieldRow>(children ?? {}).map(([key, row]) => {
    const own = typeOfValue(row);
    return `readonly ${key}?: ${own === 'unknown' ? own : `${own} | null`}`;
  });
  return children === undefined ? 'readonly unknown[]' : `readonly { ${members.join('; ')} }[]`;
}

const letters = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

function record(kind: OutputKind): string {
  const isComputed = !Object.hasOwn(recordTables, kind);
  const fields = Object.entries<FieldRow>(outputTables[kind].fields).map(([key, row]) => {
    const isSure = isComputed || (key === 'id' && kind !== 'user');
    const words = `${row.label}${row.isMade === true ? '; computed from the other fields' : ''}${row.type === 'datetime' ? '; ISO 8601' : ''}.`;
    // A label that only repeats the field's name says nothing.
    const says = letters(words).endsWith(letters(key)) ? '' : `${comment([words])}\n`;
    return `${says}  readonly ${key}${isSure ? '' : '?'}: ${typeOfValue(row)}${isSure ? '' : ' | null'};`;
  });
  const noun = withArticle(outputNames[kind].label.toLowerCase());
  const about = isComputed
    ? [`${noun}, computed from records of the service.`]
    : [`${noun} from the service. Any field except the id may be missing. New fields of the service`, 'are kept, but have no types.'];
  return `${comment(about, '')}\nexport type ${capital(kind)} = {\n${fields.join('\n')}\n};`;
}

function output({ output: kind, adds = [], secret }: Operation): string {
  const more = [
    ...adds.map(({ key, type }) => `readonly ${key}: ${typeOfValue({ type })}`),
    ...(secret === undefined ? [] : [`readonly ${secret}: string`]),
  ];
  return [capital(kind), ...(more.length === 0 ? [] : [`{ ${more.join('; ')} }`])].join(' & ');
}

function method(operation: Operation): string {
  const { description, endpoint, scope, yields, effect, secret } = operation;
  const optional = formFields(operation.input).every(({ required }) => !required) ? '?' : '';
  const words = [
    `${description}.`,
    '',
    `\`${endpoint}\`; it needs ${scope === 'any' ? 'any scope' : `the scope \`${scope}\``}.${effect === 'destructive' ? ' It cannot be undone.' : ''}`,
    ...(secret === undefined ? [] : [`\`${secret}\` is a secret: keep it where nobody else can read it.`]),
    `@throws ServiceError; ${effect === 'read' ? 'nothing was changed' : '`unknownOutcome` if nobody knows whether it happened; with every other kind nothing was changed'}`,
  ];
  const given = `input${optional}: ${nameOfInput(operation)}`;
  const signature =
    yields === 'many'
      ? `(${given}, options?: ListOptions): RecordList<${output(operation)}>`
      : `(${given}, options?: CallOptions): Promise<${output(operation)}>`;
  return `${comment(words)}\n  ${placeOf(operation).method}${signature};`;
}

/** An operation in the form that `createClientOf` takes. */
function picked(operation: Operation): string {
  const { group, method: called } = placeOf(operation);
  const [declared = ''] = Object.entries<Operation>(every).find(([, each]) => each === operation) ?? [];
  return `${comment([`\`client.${group}.${called}\`.`], '')}\nexport const ${nameOf(operation)}: ClientOperation<'${group}.${called}'> = declared.${declared};`;
}

const made = '// Made by `npm run docs` from the declared operations. Changes here affect everyone who builds on the package.';

/** Imports the names that a file uses from another one. */
const importing = (names: readonly string[], file: string, text: string): string => {
  const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(text));
  return used.length === 0 ? '' : `import type { ${used.sort().join(', ')} } from '${file}';\n`;
};

/** The client's types for these operations, by file: its groups and methods, their inputs, the records, and the operations to pick from. */
export function sdkTypes(operations: readonly Operation[]): Record<'methods.ts' | 'inputs.ts' | 'records.ts' | 'operations.ts', string> {
  const kinds = Object.keys(outputTables) as OutputKind[];
  const groups = [...Map.groupBy(operations, (operation) => placeOf(operation).group)];
  const members = groups.map(([group]) => `  readonly ${group}: ${capital(group)};`).join('\n');
  const methods = [
    `${comment(['A client for one account, with methods for each kind of record.'], '')}\nexport interface Client {\n${members}\n}`,
    ...groups.map(
      ([group, all]) =>
        `${comment([`The methods of \`client.${group}\`.`], '')}\nexport interface ${capital(group)} {\n${all.map(method).join('\n')}\n}`,
    ),
  ].join('\n\n');
  const imports = [
    importing(['CallOptions', 'ListOptions', 'RecordList'], '../options.ts', methods),
    importing(operations.map(nameOfInput), './inputs.ts', methods),
    importing(kinds.map(capital), './records.ts', methods),
  ].join('');
  return {
    'methods.ts': `${imports}\n${made}\n\n${methods}\n`,
    'inputs.ts': `${made}\n\n${operations.map(input).join('\n\n')}\n`,
    'operations.ts': `import * as declared from '../../../shared/operations/all.ts';\nimport type { ClientOperation } from '../picked.ts';\n\n${made}\n\n${operations.map(picked).join('\n\n')}\n\n/** All of them: \`createClient\`. */\nexport default [${operations.map(nameOf).join(', ')}];\n`,
    'records.ts': `${made}\n\n${kinds.map(record).join('\n\n')}\n`,
  };
}
