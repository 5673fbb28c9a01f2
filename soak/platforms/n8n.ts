import { NodeApiError, NodeOperationError, type IDataObject, type IExecuteFunctions, type IHookFunctions, type IHttpRequestOptions, type INode, type IWebhookFunctions } from 'n8n-workflow';
import { credentialType } from '../../n8n/adapter/identity.ts';
import { Scheduler } from '../../n8n/nodes/Scheduler/Scheduler.node.ts';
import { SchedulerTrigger } from '../../n8n/nodes/SchedulerTrigger/SchedulerTrigger.node.ts';
import { oauthEndpoints, refreshExchange } from '../../shared/oauth.ts';
import { BrokenWire, parsed, type Wire, type WireAnswer, type WireRequest } from '../wire.ts';
import { failure, type Connection, type Told } from './told.ts';
import { following, within, type Timers } from './within.ts';

export interface Surroundings {
  wire: Wire;
  time: Timers;
  connection: Connection;
}

const action = new Scheduler();
const trigger = new SchedulerTrigger();

const nodeOf = ({ id }: Connection): INode => ({ id: 'node', name: 'Scheduler', type: 'scheduler', typeVersion: 1, position: [0, 0], parameters: {}, credentials: { [credentialType]: { id, name: 'Account' } } });

/** n8n's authenticated helper: its timeout, its reading of bodies, its refresh of a token after a 401 that it throws. */
function authenticatedHelper({ wire, time, connection }: Surroundings) {
  const once = async ({ method = 'GET', url, qs, headers, body, timeout = 300_000, disableFollowRedirect }: IHttpRequestOptions): Promise<WireAnswer> => {
    const address = new URL(url);
    for (const [name, value] of Object.entries((qs ?? {}) as Record<string, string>)) address.searchParams.set(name, value);
    const request: WireRequest = { method, url: address.href, headers: { ...(headers as Record<string, string>), authorization: `Bearer ${connection.accessToken}` }, body: typeof body === 'string' ? body : undefined };
    try {
      const send = (each: WireRequest): Promise<WireAnswer> => within(wire, each, timeout, time);
      return await (disableFollowRedirect === true ? send(request) : following(send, request));
    } catch (error) {
      throw error instanceof BrokenWire ? Object.assign(new Error('The service refused the connection'), { cause: Object.assign(new Error(error.message), { code: error.code }) }) : error;
    }
  };
  return async (_type: string, options: IHttpRequestOptions): Promise<unknown> => {
    let answer = await once(options);
    if (answer.status === 401 && options.ignoreHttpStatusErrors !== true) {
      await refresh({ wire, time, connection });
      answer = await once(options);
    }
    const body = answer.unpackedBytes === undefined ? parsed(answer.body.toString('utf8')) : answer.body.toString('utf8');
    if (answer.status >= 400 && options.ignoreHttpStatusErrors !== true) {
      throw Object.assign(new Error(`Request failed with status code ${answer.status}`), { response: { status: answer.status, headers: answer.headers, data: body } });
    }
    return { statusCode: answer.status, headers: answer.headers, body };
  };
}

async function refresh({ wire, time, connection }: Surroundings): Promise<void> {
  const { clientId, clientSecret, baseUrl, refreshToken } = connection;
  const { method, headers, form } = refreshExchange({ clientId, clientSecret, baseUrl }, refreshToken);
  const answer = await within(wire, { method, url: oauthEndpoints(baseUrl).tokenUrl, headers, body: new URLSearchParams(form).toString() }, 60_000, time);
  const tokens = parsed(answer.body.toString('utf8')) as { access_token?: string; refresh_token?: string };
  if (answer.status !== 200 || tokens.access_token === undefined) {
    const words = 'The credential "Account" needs to be reconnected.';
    throw Object.assign(new NodeOperationError(nodeOf(connection), words, { description: 'Open the credential and connect the account again.' }), { failure: { cause: 'credential-invalid' } });
  }
  connection.accessToken = tokens.access_token;
  connection.refreshToken = tokens.refresh_token ?? connection.refreshToken;
}

const at = (object: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined), object);

const common = (surroundings: Surroundings) => ({
  getNode: () => nodeOf(surroundings.connection),
  getCredentials: () => Promise.resolve({ baseUrl: surroundings.connection.baseUrl }),
  getTimezone: () => 'Europe/Berlin',
  logger: { warn: () => undefined },
  helpers: { httpRequestWithAuthentication: authenticatedHelper(surroundings) },
});

const parameter = (parameters: IDataObject, name: string, fallback: unknown): unknown => at(parameters, name) ?? fallback;

/** Runs the action node over its items; what comes back is the `json` of each. */
export async function runNode(surroundings: Surroundings, items: IDataObject[]): Promise<Told> {
  const host = {
    ...common(surroundings),
    getInputData: () => items.map((json) => ({ json })),
    getNodeParameter: (name: string, index: number, fallback?: unknown) => parameter(items[index] ?? {}, name, fallback),
    continueOnFail: () => false,
    getExecutionId: () => '1',
    getWorkflowDataProxy: () => ({ $runIndex: 0 }),
    getExecutionCancelSignal: () => undefined,
  } as unknown as IExecuteFunctions;
  return told(async () => (await action.execute.call(host)).flat().map(({ json }) => json));
}

/** What n8n keeps of a trigger, and where it listens. */
export interface TriggerPlace {
  url: string;
  events: string[];
  staticData: IDataObject;
  /** Where a test has more than one. */
  workflowId?: string;
}

/** Calls one part of the trigger's life cycle. */
export function callTrigger(surroundings: Surroundings, { url, events, staticData }: TriggerPlace, part: 'checkExists' | 'create' | 'delete'): Promise<Told> {
  const host = {
    ...common(surroundings),
    getNodeWebhookUrl: () => url,
    getWorkflowStaticData: () => staticData,
    getNodeParameter: (name: string, fallback?: unknown) => parameter({ events }, name, fallback),
  } as unknown as IHookFunctions;
  return told(() => trigger.webhookMethods.default[part].call(host));
}

/** Publishes a workflow as n8n does: looks whether the subscription is there, else makes it. */
export async function activate(surroundings: Surroundings, place: TriggerPlace): Promise<Told> {
  const found = await callTrigger(surroundings, place, 'checkExists');
  return found.outcome === 'done' && found.value !== true ? callTrigger(surroundings, place, 'create') : found;
}

/** What n8n did with one delivery: the items that start the workflow, and the status that the sender got. */
export interface Received {
  items: IDataObject[];
  status: number;
}

export async function receiveDelivery({ staticData, events, url, workflowId = 'workflow' }: TriggerPlace, rawBody: Buffer | undefined, headers: Readonly<Record<string, unknown>>, options: IDataObject = {}): Promise<Received> {
  let status = 200;
  const host = {
    getNode: () => ({ id: 'node', name: 'Scheduler Trigger' }),
    getWorkflow: () => ({ id: workflowId, active: true }),
    logger: { warn: () => undefined },
    getWorkflowStaticData: () => staticData,
    getNodeParameter: (name: string, fallback?: unknown) => parameter({ events, simplify: false, options }, name, fallback),
    getHeaderData: () => headers,
    getRequestObject: () => ({ originalUrl: new URL(url).pathname, rawBody }),
    getResponseObject: () => ({ statusCode: 200, writableEnded: true, once: () => undefined, status: (code: number) => ({ json: () => (status = code) }) }),
  } as unknown as IWebhookFunctions;
  const { workflowData } = await trigger.webhook.call(host);
  return { items: (workflowData ?? []).flat().map(({ json }) => json), status };
}

async function told(work: () => Promise<unknown>): Promise<Told> {
  try {
    return { outcome: 'done', value: await work() };
  } catch (error) {
    if (error instanceof NodeApiError || error instanceof NodeOperationError) return failure(error.message, error.description ?? '');
    return { ...failure(error instanceof Error ? error.message : String(error), ''), defect: 'it is no error of n8n' } as Told;
  }
}
