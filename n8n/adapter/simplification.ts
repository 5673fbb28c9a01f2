import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type { Operation } from '../../shared/operations/index.ts';
import { isWide, outputFields, type ServiceRecord, type OutputShape } from '../../shared/records/index.ts';
import { isYes } from '../../shared/values.ts';
import { byLabel } from './fields.ts';

/** Whether an operation's panel lets people choose the output fields: operations that read wide records do. */
export const offersSimplify = ({ effect, output }: Operation): boolean => effect === 'read' && isWide(output);

export const simplifyProperty = (): INodeProperties => ({
  displayName: 'Simplify',
  name: 'simplify',
  type: 'boolean',
  default: true,
  description: 'Whether to return a simplified version of the response instead of the raw data',
});

const selected = 'selectedFields';
const toolHint = `As an agent's tool, also "${selected}": only the id and the fields named in ${selected}`;

/**
 * The Simplify switch and, if the node is an agent's tool, the three choices that n8n's guidelines require instead. They share the switch's
 * name and values, so that a node keeps its setting when it becomes a tool.
 */
export const outputProperties = ({ output }: Operation): INodeProperties[] => [
  // n8n's AI builder reads only the first property with a given name.
  { ...simplifyProperty(), builderHint: { propertyHint: toolHint }, displayOptions: { show: { '@tool': [false] } } },
  {
    displayName: 'Output',
    name: 'simplify',
    type: 'options',
    options: [
      { name: 'Simplified', value: true, description: 'The most useful fields' },
      { name: 'Raw', value: false, description: 'All fields' },
      { name: 'Selected Fields', value: selected, description: 'Only the fields that you choose, and the ID' },
    ],
    default: true,
    description: 'Which fields the agent gets. Fewer fields cost fewer tokens.',
    displayOptions: { show: { '@tool': [true] } },
  },
  {
    displayName: 'Fields',
    name: selected,
    type: 'multiOptions',
    options: outputFields(output)
      .filter(({ key }) => key !== 'id')
      .map(({ key, label }) => ({ name: label, value: key }))
      .sort(byLabel),
    default: [],
    description: 'The fields that the agent gets in addition to the ID',
    displayOptions: { show: { '@tool': [true], simplify: [selected] } },
  },
];

/** How an item's records are returned: the shape in which they are read, and a function that selects their fields. */
export function outputOf(host: IExecuteFunctions, operation: Operation, itemIndex: number): { shape: OutputShape; kept: Simplified } {
  const chosen: unknown = offersSimplify(operation) ? host.getNodeParameter('simplify', itemIndex, true) : false;
  const whole: Simplified = (record) => record as IDataObject;
  if (isYes(chosen)) return { shape: 'simplified', kept: whole };
  // Only a tool has the list of fields. A node into which a tool's parameters were pasted has none, so it returns everything.
  const fields: unknown = chosen === selected ? host.getNodeParameter(selected, itemIndex, null) : null;
  if (!Array.isArray(fields)) return { shape: 'presented', kept: whole };
  const keys = new Set<unknown>(['id', ...(fields as unknown[])]);
  const isKept = ([key]: [string, unknown]): boolean => keys.has(key);
  return { shape: 'presented', kept: (record) => Object.fromEntries(Object.entries(record).filter(isKept)) as IDataObject };
}

type Simplified = (record: ServiceRecord) => IDataObject;
