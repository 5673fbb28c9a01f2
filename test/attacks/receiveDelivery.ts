import type { IDataObject } from 'n8n-workflow';
import { receive } from '../../n8n/adapter/receive.ts';
import type { Sandbox } from '../../sandbox/service.ts';
import { webhookHost, type Delivered } from '../n8n/support/host.ts';

/** Where a trigger of n8n listens, and what n8n keeps for it. */
export interface TriggerPlace {
  url: string;
  events: readonly string[];
  staticData: IDataObject;
  workflowId?: string;
}

/** What n8n did with one delivery: the items that start the workflow, and the status that the sender received. */
export async function receiveDelivery({ url, events, ...place }: TriggerPlace, rawBody: Buffer | undefined, headers: Delivered['headers']) {
  const parameters = { events, simplify: false, options: {} };
  // No request is sent.
  const options = { ...place, parameters, sandbox: {} as Sandbox, token: 'none', baseUrl: 'http://127.0.0.1:9/api/v1' };
  const { host, answered } = webhookHost(options, { rawBody, headers, path: new URL(url).pathname });
  const { workflowData = [] } = await receive(host);
  return { items: workflowData.flat().map(({ json }) => json), status: answered.status ?? 200 };
}
