import {
  NodeConnectionTypes,
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
} from 'n8n-workflow';
import { brand } from '../../../shared/brand.ts';
import { operations } from '../../../shared/operations/index.ts';
import { actionHintOf } from '../../adapter/builderHints.ts';
import { execute } from '../../adapter/execute.ts';
import { listSearch, resourceMapping } from '../../adapter/lists.ts';
import { credentialType } from '../../adapter/names.ts';
import { propertiesOf } from '../../adapter/properties.ts';

export class Scheduler implements INodeType {
  description: INodeTypeDescription = {
    displayName: brand.name,
    name: 'scheduler',
    icon: { light: 'file:../../icons/scheduler.svg', dark: 'file:../../icons/scheduler.dark.svg' },
    group: ['transform'],
    version: 1,
    subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
    description: `Create, list and cancel bookings, and look up busy times, event types and contacts in ${brand.name}`,
    defaults: { name: brand.name },
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    usableAsTool: true,
    credentials: [{ name: credentialType, required: true }],
    sensitiveOutputFields: [...new Set(operations.flatMap(({ secret }) => secret ?? []))],
    builderHint: actionHintOf(operations),
    properties: propertiesOf(operations),
  };

  methods = { listSearch, resourceMapping };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    return [await execute(this)];
  }
}
