import { isDeepStrictEqual } from 'node:util';
import { DateTime } from 'luxon';
import type { IDataObject, INodeExecutionData, INodeType } from 'n8n-workflow';
import { costsOfPaths, type Costs } from '../harness/compare.ts';
import type { Task } from './child.ts';
import type { N8nCore } from '../../tools/rigs/n8n/core.ts';

export interface ListingArgument {
  baseUrl: string;
  records: number;
  ways: readonly Way[];
  rounds: number;
  runs: number;
}

/** What is measured: our node with its defaults and with every field, and the alternatives that people have without it. */
export type Way =
  | 'simplified'
  | 'whole'
  | 'hand loop'
  | 'hand loop to the same fields'
  | "HTTP Request node's pagination"
  | 'HTTP Request node, then Split Out';

const cursorOf = (body: IDataObject) => (typeof body['next_cursor'] === 'string' ? body['next_cursor'] : undefined);

/** What a person adds by hand to a booking to get the fields that our node gives with Simplify off. */
function withSameFields(booking: IDataObject): IDataObject {
  const {
    start_time: start,
    end_time: end,
    invitee_timezone: zone,
    invitee_name: name,
    question_responses: responses,
  } = booking as SentBooking;
  const shown = (time: string) => DateTime.fromISO(time, { zone }).toISO({ suppressMilliseconds: true });
  const [first = '', ...rest] = name.split(' ');
  return {
    ...booking,
    invitee_start_time: shown(start),
    invitee_end_time: shown(end),
    invitee_first_name: first,
    invitee_last_name: rest.join(' '),
    answers: Object.entries(responses).map(([question, answer]) => ({ question, answer })),
  };
}

type SentBooking = Record<'start_time' | 'end_time' | 'invitee_timezone' | 'invitee_name', string> & { question_responses: IDataObject };

/** The node that a person would write by hand on n8n's helper, and nothing more: follow the cursor and collect. */
const handWritten = (core: N8nCore, baseUrl: string, given = (booking: IDataObject) => booking): INodeType => ({
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
      for (const booking of page['data'] as IDataObject[]) items.push({ json: given(booking), pairedItem: { item: 0 } });
      cursor = cursorOf(page);
    }
    return [items];
  },
});

/**
 * The HTTP Request node with its own pagination, as a person sets it up. It gives whole pages, because splitting them would take another
 * node.
 */
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

export const run: Task<ListingArgument, Costs> = async (core, { baseUrl, records, ways, rounds, runs }) => {
  const http = core.builtIn('HttpRequest/HttpRequest');
  const hand = handWritten(core, baseUrl);
  const handWhole = handWritten(core, baseUrl, withSameFields);
  const splitOut = core.builtIn('Transform/SplitOut/SplitOut');
  let accounts = 0;
  const listed = async (type: INodeType, parameters: IDataObject, wanted: number, items?: IDataObject[]): Promise<IDataObject[]> => {
    // Each run uses an account of its own. If the runs shared an account, ours would wait whenever they exceed its thousand requests a
    // minute.
    const output = await type.execute?.call(core.executing(type, parameters, items, { account: `account-${(accounts += 1)}` }));
    const given = Array.isArray(output) ? (output[0] ?? []).map(({ json }) => json) : [];
    if (given.length !== wanted)
      throw new Error(`${wanted} items were expected of ${type.description.displayName}, and ${given.length} came.`);
    return given;
  };
  const ours = (simplify: boolean) =>
    listed(core.action, { resource: 'booking', operation: 'getMany', returnAll: true, simplify, filters: {} }, records);
  const pagesByHttpRequest = () => listed(http, httpRequestParameters(core, baseUrl), records / 100);
  const run: Record<Way, () => Promise<IDataObject[]>> = {
    simplified: () => ours(true),
    whole: () => ours(false),
    'hand loop': () => listed(hand, {}, records),
    'hand loop to the same fields': () => listed(handWhole, {}, records),
    "HTTP Request node's pagination": pagesByHttpRequest,
    'HTTP Request node, then Split Out': async () =>
      listed(splitOut, { fieldToSplitOut: 'data', include: 'noOtherFields', options: {} }, records, await pagesByHttpRequest()),
  };
  if (ways.includes('hand loop to the same fields')) await theSame(run.whole, run['hand loop to the same fields']);
  return costsOfPaths(
    ways.map((name) => ({ name, run: run[name] })),
    { rounds, runs },
  );
};

/** @throws if the two ways do not give the same records, because then they cannot be compared */
async function theSame(one: () => Promise<unknown>, other: () => Promise<unknown>): Promise<void> {
  if (!isDeepStrictEqual(await one(), await other())) throw new Error('What is compared does not give the same records.');
}
