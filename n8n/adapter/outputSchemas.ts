import { type Operation, operations } from '../../shared/operations/index.ts';
import { eventRows } from '../../shared/events.ts';
import { type OutputField, outputFields, show, simpleEventFields, simpleFields } from '../../shared/records/index.ts';
import { offersSimplify } from './simplification.ts';

/** A simple JSON Schema, in the form that n8n's panels read. */
export type JsonSchema = { type: string; properties?: Record<string, JsonSchema>; items?: JsonSchema };

/**
 * The output of every operation and of the triggers with the default settings, so that fields can be mapped before anything has run. The
 * keys are the paths, in the folder of the nodes, at which n8n looks for the files.
 */
export function outputSchemas(): Record<string, JsonSchema> {
  return Object.fromEntries<JsonSchema>([
    ...operations.map((operation): [string, JsonSchema] => [
      `Scheduler/__schema__/v1.0.0/${operation.resource}/${operation.name}.json`,
      ofOperation(operation),
    ]),
    ['SchedulerTrigger/__schema__/v1.0.0.json', objectOf(triggerFields())],
    ['SchedulerPollingTrigger/__schema__/v1.0.0.json', objectOf(triggerFields())],
  ]);
}

function ofOperation(operation: Operation): JsonSchema {
  const { output, adds, sample } = operation;
  const known = new Map(outputFields(output, { adds }).map((field) => [field.key, field]));
  // In the order of the output. A field may be missing from the sample.
  const keys = offersSimplify(operation) ? simpleFields(output) : Object.keys({ ...show(output, sample, 'presented'), ...sample });
  return objectOf(keys.map((key) => known.get(key) ?? { key, label: key, type: typeof sample[key] === 'boolean' ? 'boolean' : 'string' }));
}

/** The fields that a record of any event may have. */
function triggerFields(): OutputField[] {
  const fields = eventRows.flatMap((row) => {
    const known = new Map(outputFields(row.record, { delivery: 'whole' }).map((field) => [field.key, field]));
    return simpleEventFields(row).flatMap((key) => known.get(key) ?? []);
  });
  return [...new Map(fields.map((field) => [field.key, field])).values()];
}

const objectOf = (fields: readonly OutputField[]): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(fields.map((field) => [field.key, schemaOf(field)])),
});

function schemaOf({ type, children }: OutputField): JsonSchema {
  if (type === 'object') return children === undefined ? { type } : objectOf(children);
  if (type === 'list') return { type: 'array', items: children === undefined ? { type: 'string' } : objectOf(children) };
  // n8n's panels show nothing for a field without a type. Most values of other types are text.
  return { type: type === 'number' || type === 'boolean' ? type : 'string' };
}
