import type { IDataObject, INodeExecutionData, INodeType } from 'n8n-workflow';
import { comparePaths } from '../harness/compare.ts';
import type { Task } from './child.ts';
import type { N8nCore } from './core.ts';

export interface ListingArgument {
  baseUrl: string;
  records: number;
  rounds: number;
}

/** Costs in milliseconds of processor time, and their ratios round by round. */
export interface ListingResult {
  cost: Record<'ours' | 'hand' | 'httpRequest' | 'split', number>;
  overHand: { ratio: number; spread: readonly [number, number] };
  overSplit: { ratio: number; spread: readonly [number, number] };
  overHttpRequest: { ratio: number; spread: readonly [number, number] };
}

const cursorOf = (body: IDataObject) => (typeof body['next_cursor'] === 'string' ? body['next_cursor'] : undefined);

/** The node that one would write by hand on n8n's helper, and no more: follow the cursor, collect. */
const handWritten = (core: N8nCore, baseUrl: string): INodeType => ({
  description: { ...core.action.description, properties: [] },
  async execute() {
    const items: INodeExecutionData[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const page = (await this.helpers.httpRequestWithAuthentication.call(this, core.credentialType, {
        method: 'GET',
        url: `${baseUrl}/bookings`,
        qs: { limit: 100, ...(cursor !== '' && { cursor }) },
        json: true,
      })) as IDataObject;
      for (const json of page['data'] as IDataObject[]) items.push({ json, pairedItem: { item: 0 } });
      cursor = cursorOf(page);
    }
    return [items];
  },
});

/** The HTTP Request node with its own pagination, as a person sets it up. It gives whole pages: splitting them would be another node. */
const httpRequestParameters = (core: N8nCore, baseUrl: string): IDataObject => ({
  method: 'GET',
  url: `${baseUrl}/bookings`,
  authentication: 'predefinedCredentialType',
  nodeCredentialType: core.credentialType,
  sendQuery: true,
  specifyQuery: 'keypair',
  queryParameters: { parameters: [{ name: 'limit', value: '100' }] },
  options: {
    pagination: {
      pagination: {
        paginationMode: 'updateAParameterInEachRequest',
        parameters: { parameters: [{ type: 'qs', name: 'cursor', value: '={{ $response.body.next_cursor }}' }] },
        paginationCompleteWhen: 'other',
        completeExpression: '={{ $response.body.next_cursor === null }}',
        limitPagesFetched: false,
        requestInterval: 0,
      },
    },
  },
});

export const run: Task<ListingArgument, ListingResult> = async (core, { baseUrl, records, rounds }) => {
  const http = core.builtIn('HttpRequest/HttpRequest');
  const hand = handWritten(core, baseUrl);
  const splitOut = core.builtIn('Transform/SplitOut/SplitOut');
  const listed = async (type: INodeType, parameters: IDataObject, wanted: number, items?: IDataObject[]): Promise<IDataObject[]> => {
    const output = await type.execute?.call(core.executing(type, parameters, items));
    const given = Array.isArray(output) ? (output[0] ?? []).map(({ json }) => json) : [];
    if (given.length !== wanted) throw new Error(`${wanted} items were expected of ${type.description.displayName}, and ${given.length} came.`);
    return given;
  };
  const pagesByHttpRequest = () => listed(http, httpRequestParameters(core, baseUrl), records / 100);
  const comparison = await comparePaths([
    { name: 'ours', run: () => listed(core.action, { resource: 'booking', operation: 'getMany', returnAll: true, simplify: false, filters: {} }, records) },
    { name: 'hand', run: () => listed(hand, {}, records) },
    { name: 'httpRequest', run: pagesByHttpRequest },
    { name: 'split', run: async () => listed(splitOut, { fieldToSplitOut: 'data', include: 'noOtherFields', options: {} }, records, await pagesByHttpRequest()) },
  ], { rounds });
  return {
    cost: { ours: comparison.cost('ours'), hand: comparison.cost('hand'), httpRequest: comparison.cost('httpRequest'), split: comparison.cost('split') },
    overHand: comparison.ratio('ours', 'hand'),
    overSplit: comparison.ratio('ours', 'split'),
    overHttpRequest: comparison.ratio('ours', 'httpRequest'),
  };
};
