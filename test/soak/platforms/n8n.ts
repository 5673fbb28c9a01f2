import {
  NodeApiError,
  NodeOperationError,
  WebhookPathTakenError,
  UserError,
  type IDataObject,
  type IExecuteFunctions,
  type IHookFunctions,
  type INode,
} from 'n8n-workflow';
import { credentialType } from '../../../n8n/adapter/identity.ts';
import { Scheduler } from '../../../n8n/nodes/Scheduler/Scheduler.node.ts';
import { SchedulerTrigger } from '../../../n8n/nodes/SchedulerTrigger/SchedulerTrigger.node.ts';
import type { Timers, Wire } from '../wire.ts';
import { authenticatedHelper } from './n8nHelper.ts';
import { failure, type Connection, type Told } from './told.ts';

export interface Surroundings {
  wire: Wire;
  time: Timers;
  connection: Connection;
  /**
   * An n8n of early 2026. Its helper refreshes once for each request that finds the token expired, and waits for the refresh without limit.
   */
  isOldHost?: boolean;
}

const action = new Scheduler();
const trigger = new SchedulerTrigger();

const nodeOf = ({ id }: Connection, more: Partial<INode> = {}): INode => ({
  id: 'node',
  name: 'Scheduler',
  type: 'scheduler',
  typeVersion: 1,
  position: [0, 0],
  parameters: {},
  credentials: { [credentialType]: { id, name: 'Account' } },
  ...more,
});

const common = ({ wire, time, connection, isOldHost = false }: Surroundings, node: INode) => ({
  getNode: () => structuredClone(node),
  getWorkflow: () => ({ id: 'workflow', name: 'My workflow', active: true }),
  getMode: () => 'trigger',
  getCredentials: () => Promise.resolve({ baseUrl: connection.baseUrl }),
  getTimezone: () => 'Europe/Berlin',
  logger: { warn: () => undefined, info: () => undefined, debug: () => undefined, error: () => undefined },
  helpers: { httpRequestWithAuthentication: authenticatedHelper({ wire, time, connection, node, isOld: isOldHost }) },
});

/** Values that an expression gives. A parameter that is undefined was filled in by an expression; one that is absent was not filled in. */
export type Parameters = Record<string, unknown>;

/**
 * A parameter as n8n-core returns it: the fallback only replaces what was not filled in, and any other value of an expression is returned
 * unchanged.
 */
function parameter(parameters: Parameters, name: string, fallback: unknown, options: { extractValue?: boolean } = {}): unknown {
  let value: unknown = parameters;
  for (const key of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) {
      if (fallback === undefined) throw new UserError(`Could not get parameter "${name}"`);
      value = fallback;
      break;
    }
    value = (value as Parameters)[key];
  }
  return options.extractValue === true && typeof value === 'object' && value !== null && '__rl' in value
    ? (value as Parameters)['value']
    : value;
}

/** One run of the node: its settings, and the execution that it belongs to. */
export interface Run {
  executionId?: string;
  runIndex?: number;
  retryOnFail?: boolean;
  continueOnFail?: boolean;
}

/** Runs the action node once over its items, and returns the `json` of each, in the order of the items. */
export async function runNode(surroundings: Surroundings, items: Parameters[], run: Run = {}): Promise<Told> {
  const { executionId = '1', runIndex = 0, retryOnFail = false, continueOnFail = false } = run;
  const node = nodeOf(surroundings.connection, {
    ...(retryOnFail && { retryOnFail }),
    ...(continueOnFail && { onError: 'continueRegularOutput' }),
  });
  const host = {
    ...common(surroundings, node),
    getInputData: () => items.map(() => ({ json: {} })),
    getNodeParameter: (name: string, index: number, fallback?: unknown, options?: object) =>
      parameter(items[index] ?? {}, name, fallback, options),
    continueOnFail: () => continueOnFail,
    getExecutionId: () => executionId,
    getWorkflowDataProxy: () => ({ $runIndex: runIndex, $execution: { id: executionId } }),
    getExecutionCancelSignal: () => undefined,
    addExecutionHints: () => undefined,
  } as unknown as IExecuteFunctions;
  return told(async () => (await action.execute.call(host)).flat().map(({ json }) => json));
}

/** What n8n keeps for a trigger, and where it listens. */
export interface TriggerPlace {
  url: string;
  events: readonly string[];
  staticData: IDataObject;
}

/** Calls one part of the trigger's life cycle. */
export function callTrigger(
  surroundings: Surroundings,
  { url, events, staticData }: TriggerPlace,
  part: 'checkExists' | 'create' | 'delete',
): Promise<Told> {
  const host = {
    ...common(surroundings, nodeOf(surroundings.connection, { name: 'Scheduler Trigger' })),
    getActivationMode: () => (part === 'delete' ? 'update' : 'activate'),
    getNodeWebhookUrl: () => url,
    getWebhookName: () => 'default',
    getWorkflowStaticData: () => staticData,
    getNodeParameter: (name: string, fallback?: unknown, options?: object) => parameter({ events }, name, fallback, options),
  } as unknown as IHookFunctions;
  return told(() => trigger.webhookMethods.default[part].call(host));
}

/** The seconds after which n8n's publication worker repeats a failed part of the life cycle. */
const TRIES_AFTER_S = [1, 2, 4, 8];

/**
 * One part of the life cycle as n8n's publication worker calls it: up to five times in fifteen seconds, but only once if the error is
 * final. The last error is shown.
 */
export async function insist(surroundings: Surroundings, place: TriggerPlace, part: 'create' | 'delete'): Promise<Told> {
  let last = await callTrigger(surroundings, place, part);
  for (const seconds of TRIES_AFTER_S) {
    if (last.outcome === 'done' || last.isFinal === true) return last;
    await new Promise<void>((resolve) => void surroundings.time.set(resolve, seconds * 1000));
    last = await callTrigger(surroundings, place, part);
  }
  return last;
}

/** Publishes a workflow like n8n: checks whether the subscription exists, and creates it if not. */
export async function activate(surroundings: Surroundings, place: TriggerPlace): Promise<Told> {
  const found = await callTrigger(surroundings, place, 'checkExists');
  return found.outcome === 'done' && found.value !== true ? callTrigger(surroundings, place, 'create') : found;
}

async function told(work: () => Promise<unknown>): Promise<Told> {
  try {
    return { outcome: 'done', value: await work() };
  } catch (error) {
    if (error instanceof NodeApiError || error instanceof NodeOperationError) return failure(error.message, error.description ?? '');
    if (error instanceof WebhookPathTakenError) return { ...failure(error.message, ''), isFinal: true } as Told;
    return { ...failure(error instanceof Error ? error.message : String(error), ''), defect: 'it is no error of n8n' } as Told;
  }
}
