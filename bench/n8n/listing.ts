import { isDeepStrictEqual } from 'node:util';
import { DateTime } from 'luxon';
import type { IDataObject, INodeExecutionData, INodeType } from 'n8n-workflow';
import { comparePaths } from '../harness/compare.ts';
import type { Task } from './child.ts';
import type { N8nCore } from './core.ts';

export interface ListingArgument {
  baseUrl: string;
  records: number;
  rounds: number;
  runs: number;
}

/** What is measured: our node as it is placed and with every field, and what one would have without it. */
export const ways = ['simplified', 'whole', 'hand', 'handWhole', 'httpRequest', 'split'] as const;
export type Way = (typeof ways)[number];

interface Ratio {
  ratio: number;
  spread: readonly [number, number];
}

export interface ListingResult {
  /** Milliseconds of processor time. */
  cost: Record<Way, number>;
  /** The cost of our node over that of another way, round by round. */
  over: Record<'simplified' | 'whole', Record<Way, Ratio>>;
}

const cursorOf = (body: IDataObject) => (typeof body['next_cursor'] === 'string' ? body['next_cursor'] : undefined);

/** What one adds by hand to a booking to have the fields that our node gives with Simplify off. */
function withSameFields(booking: IDataObject): IDataObject {
  const { start_time: start, end_time: end, invitee_timezone: zone, invitee_name: name, question_responses: responses } = booking as SentBooking;
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

/** The node that one would write by hand on n8n's helper, and no more: follow the cursor, collect. */
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

export const run: Task<ListingArgument, ListingResult> = async (core, { baseUrl, records, rounds, runs }) => {
  const http = core.builtIn('HttpRequest/HttpRequest');
  const hand = handWritten(core, baseUrl);
  const handWhole = handWritten(core, baseUrl, withSameFields);
  const splitOut = core.builtIn('Transform/SplitOut/SplitOut');
  let accounts = 0;
  const listed = async (type: INodeType, parameters: IDataObject, wanted: number, items?: IDataObject[]): Promise<IDataObject[]> => {
    // Each run for an account of its own: ours would wait where the runs of one exceed its thousand requests a minute.
    const output = await type.execute?.call(core.executing(type, parameters, items, `account-${(accounts += 1)}`));
    const given = Array.isArray(output) ? (output[0] ?? []).map(({ json }) => json) : [];
    if (given.length !== wanted) throw new Error(`${wanted} items were expected of ${type.description.displayName}, and ${given.length} came.`);
    return given;
  };
  const ours = (simplify: boolean) => listed(core.action, { resource: 'booking', operation: 'getMany', returnAll: true, simplify, filters: {} }, records);
  const pagesByHttpRequest = () => listed(http, httpRequestParameters(core, baseUrl), records / 100);
  const run: Record<Way, () => Promise<IDataObject[]>> = {
    simplified: () => ours(true),
    whole: () => ours(false),
    hand: () => listed(hand, {}, records),
    handWhole: () => listed(handWhole, {}, records),
    httpRequest: pagesByHttpRequest,
    split: async () => listed(splitOut, { fieldToSplitOut: 'data', include: 'noOtherFields', options: {} }, records, await pagesByHttpRequest()),
  };
  await theSame(run.whole, run.handWhole);
  const comparison = await comparePaths(ways.map((name) => ({ name, run: run[name] })), { rounds, runs });
  const each = <Value>(value: (way: Way) => Value) => Object.fromEntries(ways.map((way) => [way, value(way)])) as Record<Way, Value>;
  return {
    cost: each((way) => comparison.cost(way)),
    over: { simplified: each((way) => comparison.ratio('simplified', way)), whole: each((way) => comparison.ratio('whole', way)) },
  };
};

/** @throws where the two ways do not give the same records: then they cannot be compared. */
async function theSame(one: () => Promise<unknown>, other: () => Promise<unknown>): Promise<void> {
  if (!isDeepStrictEqual(await one(), await other())) throw new Error('What is compared does not give the same records.');
}
