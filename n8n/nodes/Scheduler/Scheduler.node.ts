import { NodeConnectionTypes, type IExecuteFunctions, type INodeExecutionData, type INodeType, type INodeTypeDescription } from 'n8n-workflow';
import { brand } from '../../../shared/brand.ts';
import { operations } from '../../../shared/operations/index.ts';
import { execute } from '../../adapter/execute.ts';
import { credentialType } from '../../adapter/identity.ts';
import { listSearch } from '../../adapter/listSearch.ts';
import { actionProperties } from '../../adapter/properties.ts';
import { resourceMapping } from '../../adapter/questionFields.ts';
import { secretHints, secretPaths } from '../../adapter/secrets.ts';

export class Scheduler implements INodeType {
  description: INodeTypeDescription = {
    displayName: brand.name,
    name: 'scheduler',
    icon: { light: 'file:../../icons/scheduler.svg', dark: 'file:../../icons/scheduler.dark.svg' },
    group: ['transform'],
    version: [1],
    subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
    description: `Create, read and cancel bookings, and read event types and contacts in ${brand.name}`,
    defaults: { name: brand.name },
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    usableAsTool: true,
    credentials: [{ name: credentialType, required: true }],
    hints: secretHints(operations),
    sensitiveOutputFields: secretPaths(operations),
    properties: actionProperties(operations),
  };

  methods = { listSearch, resourceMapping };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    return [await execute(this, operations)];
  }
}
