import {
  operationLabel,
  type Operation,
  formSchema,
  type ObjectSchema,
  formFields,
  type FormField,
} from '../../shared/operations/index.ts';
import type { OutputKind } from '../../shared/records/index.ts';
import { outputOf, type Output } from './outputSchemas.ts';

/** `eventType` becomes `event_type`. */
const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The name for a list that is usual among tools. */
const verbs: Readonly<Partial<Record<string, string>>> = { getMany: 'list', getBusy: 'get' };

/** The name of a tool, such as `create_booking` or `list_event_types`. Clients save it, so it must not change after publication. */
export const toolName = ({ name, output, yields }: Pick<Operation, 'name' | 'output' | 'yields'>): string =>
  `${verbs[name] ?? snake(name)}_${snake(output)}${yields === 'many' ? 's' : ''}`;

/** The name of the argument that takes the id of a record of this kind. */
export const idArgument = (kind: OutputKind): string => `${snake(kind)}_id`;

/** How many records a list returns by default and at most, so that a model can afford to read them. */
export const pageSize = { usual: 10, max: 50 } as const;

/** The arguments that this platform adds to a form. */
export const added = { limit: 'limit', cursor: 'cursor', confirm: 'confirm' } as const;

/** A tool as a client sees it. A type rather than an interface, so that it can be passed on as plain data. */
export type Definition = {
  name: string;
  title: string;
  description: string;
  inputSchema: ObjectSchema;
  outputSchema?: Output['schema'];
  annotations: { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean; openWorldHint: boolean };
};

export interface Tool {
  definition: Definition;
  operation: Operation;
  /** The output schema, if it is announced. */
  output?: Output | undefined;
}

/** Which tools are offered. */
export interface Offer {
  /** Leaves out all tools that change something. */
  isReadOnly?: boolean | undefined;
  /** Announces the output schema of each tool. */
  hasOutputSchemas?: boolean | undefined;
  /** Only the tools with these names. Default: all. */
  only?: readonly string[] | undefined;
  /** Whether a tool is offered, for example because of a connection's permissions. Default: all are. */
  isAllowed?: ((operation: Operation) => boolean) | undefined;
}

/**
 * The tools for operations, in the same order. They are made once, because making a schema takes longer than a request.
 *
 * @throws an error for people if an unknown tool is named
 */
export function toolsOf(
  operations: readonly Operation[],
  { isReadOnly = false, hasOutputSchemas = false, only, isAllowed = () => true }: Offer = {},
): Tool[] {
  const all = operations.map((operation): Tool => {
    const output = hasOutputSchemas ? outputOf(operation) : undefined;
    return { operation, output, definition: { ...definitionOf(operation, operations), ...(output && { outputSchema: output.schema }) } };
  });
  const unknown = only?.find((name) => !all.some(({ definition }) => definition.name === name));
  if (unknown !== undefined)
    throw new Error(`There is no tool "${unknown}". Choose from: ${all.map(({ definition }) => definition.name).join(', ')}.`);
  return all.filter(
    ({ operation, definition }) =>
      (!isReadOnly || operation.effect === 'read') && (only === undefined || only.includes(definition.name)) && isAllowed(operation),
  );
}

function definitionOf(operation: Operation, operations: readonly Operation[]): Definition {
  const { effect } = operation;
  return {
    name: toolName(operation),
    title: operationLabel(operation),
    description: descriptionOf(operation),
    inputSchema: withOwn(
      operation,
      formSchema(operation.input, (field) => remark(field, operation, operations)),
    ),
    annotations: {
      readOnlyHint: effect === 'read',
      // Directories of tools require it for everything that sends mail, as a new booking does.
      destructiveHint: effect !== 'read',
      idempotentHint: effect !== 'write',
      openWorldHint: true,
    },
  };
}

/** What each kind of tool appends to its description. */
const manners: Record<Operation['effect'], string> = {
  read: '',
  write: '. If you get no response, retry with identical arguments; the retry does not repeat the change',
  destructive: '. Ask the person first',
};

const descriptionOf = ({ description, effect }: Operation): string => description + manners[effect];

/** What a model must know about a field. People see it in the form's lists and clock. */
function remark(
  { control, lookup, mayBeDay, laterThan }: FormField,
  { input: form }: Operation,
  operations: readonly Operation[],
): string | undefined {
  if (control === 'dateTime') {
    const zone = formFields(form).find((each) => each.control === 'timeZone');
    const whole = laterThan === undefined ? '' : ` The same day as ${laterThan} is that whole day.`;
    if (mayBeDay === true) return `ISO 8601 with a UTC offset, or a day, which begins at the host's midnight.${whole}`;
    return `ISO 8601 with a UTC offset${zone === undefined ? '' : `, or local time with ${zone.key}`}. Never guess the zone: ask.`;
  }
  if (control === 'answers') {
    const asks = operations.find(
      ({ output, yields, input }) => output === 'eventType' && yields === 'one' && Object.hasOwn(input, idArgument('eventType')),
    );
    return asks && `${toolName(asks)} returns the questions.`;
  }
  const list =
    lookup === undefined
      ? undefined
      : operations.find(
          ({ yields, input, output }) =>
            yields === 'many' && `${output}s` === lookup && formFields(input).every(({ required }) => !required),
        );
  return list && `An id from ${toolName(list)}.`;
}

function withOwn(operation: Operation, schema: ObjectSchema): ObjectSchema {
  const properties = { ...schema.properties };
  if (operation.yields === 'many') {
    // Some hosts hide the bounds from the model.
    const description = `At most ${pageSize.max}.`;
    properties[added.limit] = { type: 'integer', minimum: 1, maximum: pageSize.max, default: pageSize.usual, description };
    properties[added.cursor] = { type: 'string', description: 'From the last page.' };
  }
  if (operation.effect === 'destructive')
    properties[added.confirm] = { type: 'boolean', description: 'true only after the person agreed.' };
  return { ...schema, properties };
}
