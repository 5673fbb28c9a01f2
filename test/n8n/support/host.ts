import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type {
  IDataObject,
  IExecuteFunctions,
  IHookFunctions,
  IHttpRequestOptions,
  ILoadOptionsFunctions,
  INode,
  IPollFunctions,
  IWebhookFunctions,
} from 'n8n-workflow';
import { credentialType } from '../../../n8n/adapter/names.ts';
import type { Sandbox } from '../../../sandbox/service.ts';
import type { Fetch } from '../../../shared/client/httpClient.ts';
import { directFetch } from '../../support/service.ts';

/**
 * n8n's node contexts as far as the adapter uses them, in this process. They replace n8n's own where
 * those cannot be used: for the life cycle and webhooks, without a database. Everything that depends on how n8n reads parameters, or on its
 * OAuth, is tested with n8n's core and with the real n8n.
 */
export interface HostOptions {
  sandbox: Sandbox;
  /** One token is enough for a test that does not refresh it. */
  token?: string;
  parameters?: Record<string, unknown>;
  node?: Partial<INode>;
  items?: IDataObject[];
  executionId?: string;
  /** `retry`: a person retries a failed execution. */
  executionMode?: 'trigger' | 'retry';
  runIndex?: number;
  timezone?: string;
  staticData?: IDataObject;
  workflowId?: string;
  /** The address that n8n gives to the trigger. */
  url?: string;
  credentialId?: string;
  /** The address in the credential; by default the sandbox's. Whatever it is, the sandbox answers there. */
  baseUrl?: string;
  /** What n8n throws instead of giving the credential. */
  withoutCredential?: Error;
  /** Why n8n sets up the trigger: because a person publishes the workflow, saves a change of it or tests it, or because n8n starts. */
  activation?: 'activate' | 'update' | 'manual' | 'init';
  /** Collects the warnings of n8n's log. */
  logged?: string[];
  /** Whether an agent runs the node as its tool. */
  isTool?: boolean;
  /** Collects the hints of a run. */
  hints?: string[];
}

const at = (object: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, key) => (typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined),
      object,
    );

function context(options: HostOptions) {
  const { sandbox, parameters = {}, credentialId = 'credential-1', baseUrl = sandbox.baseUrl } = options;
  const token = options.token ?? sandbox.issueToken().access_token;
  const node: INode = {
    id: 'node-1',
    name: 'Scheduler',
    type: 'scheduler',
    typeVersion: 1,
    position: [0, 0],
    parameters: {},
    credentials: { [credentialType]: { id: credentialId, name: 'Account' } },
    ...options.node,
  };
  const parameter = (name: string, fallback?: unknown) => {
    const value = at(parameters, name) ?? fallback;
    if (value === undefined) throw new Error(`Could not get parameter "${name}"`);
    return value;
  };
  return {
    node,
    parameter,
    common: {
      getNode: () => structuredClone(node),
      getNodeParameter: parameter,
      getWorkflow: () => ({ id: options.workflowId ?? 'workflow-1', active: true }),
      getCredentials: () =>
        options.withoutCredential === undefined ? Promise.resolve({ baseUrl }) : Promise.reject(options.withoutCredential),
      getTimezone: () => options.timezone ?? 'Europe/Berlin',
      getWorkflowStaticData: () => options.staticData ?? {},
      getNodeWebhookUrl: () => options.url,
      logger: { warn: (line: string) => options.logged?.push(line) },
      helpers: {
        httpRequestWithAuthentication: (_type: string, request: IHttpRequestOptions) =>
          send({ ...request, url: request.url.replace(baseUrl, sandbox.baseUrl) }, token, directFetch(sandbox)),
      },
    },
  };
}

/** n8n's request helper, as far as the adapter uses it: an answer of any status, whose body comes in pieces. */
async function send(request: IHttpRequestOptions, token: string, fetch: Fetch): Promise<unknown> {
  const { method = 'GET', url, qs, headers, body } = request;
  const address = new URL(url);
  for (const [name, value] of Object.entries(qs ?? {})) address.searchParams.set(name, value as string);
  const response = await fetch(address.href, {
    method,
    headers: { ...(headers as Record<string, string>), authorization: `Bearer ${token}`, connection: 'close' },
    redirect: request.disableFollowRedirect === true ? 'manual' : 'follow',
    ...(typeof body === 'string' && { body }),
  });
  const pieces = response.body === null ? Readable.from([]) : Readable.fromWeb(response.body as ReadableStream<Uint8Array>);
  return { statusCode: response.status, headers: Object.fromEntries(response.headers), body: pieces };
}

export function executeHost(options: HostOptions): IExecuteFunctions {
  const { common, node, parameter } = context(options);
  return {
    ...common,
    getInputData: () => (options.items ?? [{}]).map((json) => ({ json })),
    getNodeParameter: (name: string, itemIndex: number, fallback?: unknown) =>
      at(options.items?.[itemIndex]?.['parameters'], name) ?? parameter(name, fallback),
    continueOnFail: () => node.onError === 'continueRegularOutput',
    getExecutionId: () => options.executionId ?? '1',
    getMode: () => options.executionMode ?? 'trigger',
    getWorkflowDataProxy: () => ({ $runIndex: options.runIndex ?? 0 }),
    getExecutionCancelSignal: () => undefined,
    isToolExecution: () => options.isTool === true,
    addExecutionHints: (...hints: { message: string }[]) => options.hints?.push(...hints.map(({ message }) => message)),
  } as unknown as IExecuteFunctions;
}

export const hookHost = (options: HostOptions): IHookFunctions =>
  ({ ...context(options).common, getActivationMode: () => options.activation ?? 'activate' }) as unknown as IHookFunctions;

export interface PollHostOptions extends HostOptions {
  /** What made n8n poll. */
  mode?: 'manual' | 'trigger';
  /** How long n8n waits for the poll; absent in older versions. Milliseconds. */
  budgetMs?: number;
}

/** The context with which n8n polls until the next publishing or start, and what was logged. */
export function pollHost(options: PollHostOptions) {
  const logged: string[] = [];
  const log = (line: string) => void logged.push(line);
  const host = {
    ...context(options).common,
    logger: { debug: log, info: log, warn: log },
    getMode: () => options.mode ?? 'trigger',
    getActivationMode: () => options.activation ?? 'activate',
    ...(options.budgetMs !== undefined && { getPollBudgetMs: () => options.budgetMs }),
  } as unknown as IPollFunctions;
  return { host, logged };
}

export function loadOptionsHost(options: HostOptions): ILoadOptionsFunctions {
  const { common, parameter } = context(options);
  return { ...common, getCurrentNodeParameter: (name: string) => parameter(name, '') } as unknown as ILoadOptionsFunctions;
}

export interface Delivered {
  headers: Record<string, string | string[] | undefined>;
  rawBody?: Buffer | undefined;
  path?: string;
}

/** The context of one delivery, and what was answered through the response object. */
export function webhookHost(
  options: HostOptions,
  { headers, rawBody, path = '/webhook/5b0c/webhook' }: Delivered,
  answer = { writableEnded: true },
) {
  const answered: { status?: number; body?: Record<string, unknown> } = {};
  const logged: string[] = [];
  const host = {
    ...context(options).common,
    logger: { warn: (line: string) => logged.push(line) },
    getHeaderData: () => headers,
    getRequestObject: () => ({ originalUrl: path, rawBody }),
    // Behaves as if n8n had stored the execution and answered 200 immediately, unless a test makes it wait.
    getResponseObject: () =>
      Object.assign(answer, {
        statusCode: 200,
        status: (status: number) => ({ json: (body: Record<string, unknown>) => Object.assign(answered, { status, body }) }),
      }),
  } as unknown as IWebhookFunctions;
  return { host, answered, logged };
}
