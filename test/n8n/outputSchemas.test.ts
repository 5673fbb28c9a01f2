import { execute } from '../../n8n/adapter/execute.ts';
import { outputSchemas, type JsonSchema } from '../../n8n/adapter/outputSchemas.ts';
import { pollNode } from '../../n8n/adapter/poll.ts';
import { eventRows } from '../../shared/events.ts';
import { operations } from '../../shared/operations/index.ts';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { formFor } from '../contract/forms.ts';
import { panelOf } from '../contract/platforms/n8nPanel.ts';
import { executeHost, pollHost } from './support/host.ts';

let sandbox: Sandbox;
beforeAll(async () => (sandbox = await startSandbox({ limits: false, forms: { slots: 'shared' } })));
afterAll(() => sandbox.stop());

const schemas = outputSchemas();

const typeOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value);

/** Where a value is not what the panel announces. A value that is empty could be anything. */
function differences(value: unknown, schema: JsonSchema | undefined, at: string): string[] {
  if (schema === undefined) return [`${at} is not announced`];
  if (value === null || value === undefined) return [];
  if (typeOf(value) !== schema.type) return [`${at} is announced as ${schema.type}, and is ${typeOf(value)}`];
  if (Array.isArray(value)) return value.flatMap((each, index) => differences(each, schema.items, `${at}[${index}]`));
  if (schema.properties === undefined) return [];
  return Object.entries(value).flatMap(([key, each]) => differences(each, schema.properties?.[key], `${at}.${key}`));
}

/** Types without which n8n shows nothing of a field. */
const incomplete = (schema: JsonSchema, at: string): string[] => [
  ...(['string', 'number', 'boolean', 'object', 'array'].includes(schema?.type) ? [] : [at]),
  ...(schema?.items === undefined ? [] : incomplete(schema.items, `${at}[]`)),
  ...Object.entries(schema?.properties ?? {}).flatMap(([key, each]) => incomplete(each, `${at}.${key}`)),
];

it.each(Object.entries(schemas))('%s gives each field a type', (file, schema) => {
  expect(incomplete(schema, file)).toEqual([]);
});

it.each(operations.map((operation) => [`${operation.resource}/${operation.name}`, operation] as const))(
  'what %s gives with the default settings is what the panel announces',
  async (name, operation) => {
    const run = async (isSimplified: boolean) => {
      const parameters = panelOf(operation, { fields: formFor(operation, sandbox, false), isSimplified });
      return (await execute(executeHost({ sandbox, parameters }), operations)).map(({ json }) => json);
    };
    const items = await run(true);
    expect(items.length).toBeGreaterThan(0);
    const schema = schemas[`Scheduler/__schema__/v1.0.0/${name}.json`];
    expect(items.flatMap((item) => differences(item, schema, name))).toEqual([]);
    // Nothing that only the whole record has.
    const whole = operation.effect === 'read' ? await run(false) : [];
    const missing = Object.keys(schema?.properties ?? {}).filter((key) => !items.some((item) => key in item));
    expect(missing.filter((key) => whole.some((item) => (item[key] ?? null) !== null))).toEqual([]);
  },
);

it('what the polling trigger gives is what its panel announces', async () => {
  const { host } = pollHost({ sandbox, mode: 'manual', parameters: { events: eventRows.map(({ name }) => name) } });
  const items = (await pollNode(host))?.flat() ?? [];
  expect(new Set(items.map(({ json }) => json['event'])).size).toBeGreaterThan(2);
  const schema = schemas['SchedulerPollingTrigger/__schema__/v1.0.0.json'];
  expect(items.flatMap(({ json }) => differences(json, schema, 'item'))).toEqual([]);
});
