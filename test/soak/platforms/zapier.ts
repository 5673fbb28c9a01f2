import { createRequire } from 'node:module';
import { join } from 'node:path';
import platform from 'zapier-platform-core';
import type { Bundle, ZObject } from 'zapier-platform-core';
import { root } from '../../../tools/root.cjs';
import { RuntimeCache } from '../../../tools/rigs/zapier/backend.ts';
import type { Operation } from '../../../shared/operations/index.ts';
import { actionKey } from '../../../zapier/adapter/names.ts';
import app from '../../../zapier/app.ts';
import { BrokenWire, following, parsed, within, type Wire, type WireAnswer, type WireRequest } from '../wire.ts';
import type { VirtualTime } from '../time.ts';
import { failure, type Connection, type Told } from './told.ts';

/** Zapier ends a step after this time. */
export const STEP_MS = 30_000;

/** How often Zapier repeats a step that asked to be held. */
const HOLDS = 3;

const { errors } = platform;

/** Where a step runs. */
export interface Surroundings {
  wire: Wire;
  time: VirtualTime;
  connection: Connection;
  /** The store behind `z.cache`, which all users of the app share. */
  store: RuntimeCache;
}

/** The platform's own client for its store, with all its rules for keys, times and scopes. */
type Rpc = (method: string, ...params: unknown[]) => Promise<unknown>;
const createCache = createRequire(join(root, 'package.json'))('zapier-platform-core/src/tools/create-cache') as (input: {
  _zapier: { rpc: Rpc };
}) => ZObject['cache'];

/** A store that nobody has used. */
export const emptyStore = (): RuntimeCache => new RuntimeCache();

export type Perform = (z: ZObject, bundle: Bundle) => unknown;

/** A function of the app by its path, such as `creates.create_booking.operation.perform`. An element of a list is found by its key. */
export function method(path: string): Perform {
  const part = (value: unknown, name: string): unknown =>
    Array.isArray(value)
      ? value.find(({ key }: { key?: unknown }) => key === name)
      : (value as Record<string, unknown> | undefined)?.[name];
  const found = path.split('.').reduce<unknown>(part, app);
  if (typeof found !== 'function') throw new Error(`The app has no ${path}.`);
  return found as Perform;
}

const refreshAccessToken = method('authentication.oauth2Config.refreshAccessToken');

/** The part of `z` that the app uses: requests with the app's own middleware, the refresh signal, the store, the log. */
function zObject({ wire, time, store, connection }: Surroundings, bundle: Bundle): ZObject {
  const caller = { user: `user of ${connection.id}`, connection: connection.id };
  const z = {
    errors,
    console: { log: () => undefined },
    cache: createCache({ _zapier: { rpc: async (method, ...params) => store.call(method, params, '', caller) } }),
    request: async (given: Record<string, unknown>) => {
      let request = { headers: {}, ...given } as {
        method: string;
        url: string;
        headers: Record<string, string>;
        body?: string;
        timeout: number;
        size: number;
        redirect?: string;
      };
      for (const middleware of [app.beforeRequest ?? []].flat())
        request = (await (middleware as (r: unknown, z: unknown, b: Bundle) => unknown)(request, z, bundle)) as typeof request;
      const { method, url, headers, body, timeout, size, redirect } = request;
      const send = (each: WireRequest): Promise<WireAnswer> => within(wire, each, timeout, time);
      const asked = { method, url, headers: lowerCase(headers), body };
      const answer = await asNodeFetch(() => (redirect === 'manual' ? send(asked) : following(send, asked)), size);
      if (answer.status === 401) throw new errors.RefreshAuthError();
      const content = answer.body.toString('utf8');
      const data = parsed(content);
      return { status: answer.status, headers: new Headers(answer.headers), content, data: data === content ? undefined : data };
    },
  };
  return z as unknown as ZObject;
}

const lowerCase = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** Broken connections, timeouts and answers that are too large, as node-fetch throws them. */
async function asNodeFetch(send: () => Promise<WireAnswer>, size: number): Promise<WireAnswer> {
  const fetchError = (type: string, code?: string): Error =>
    Object.assign(new Error(`request failed, reason: ${type}`), { name: 'FetchError', type, ...(code !== undefined && { code }) });
  let answer: WireAnswer;
  try {
    answer = await send();
  } catch (error) {
    if (!(error instanceof BrokenWire)) throw error;
    throw error.code === 'ECONNABORTED' ? fetchError('request-timeout') : fetchError('system', error.code);
  }
  if ((answer.unpackedBytes ?? answer.body.length) > size) throw fetchError('max-size');
  return answer;
}

const bundleOf = ({ connection }: Surroundings, given: Partial<Bundle>): Bundle => ({
  inputData: {},
  inputDataRaw: {},
  authData: { access_token: connection.accessToken, refresh_token: connection.refreshToken },
  ...given,
  meta: {
    isLoadingSample: false,
    isFillingDynamicDropdown: false,
    isPopulatingDedupe: false,
    isTestingAuth: false,
    isBulkRead: false,
    limit: -1,
    page: 0,
    timezone: 'Europe/Berlin',
    inputFields: {},
    ...given.meta,
  },
});

/**
 * Runs one function of the app as a step of a Zap. An expired token is refreshed once and the step runs again. A step that asks to be held
 * is held and runs again. A step that takes longer than 30 seconds is ended.
 */
export async function runStep(surroundings: Surroundings, perform: Perform, given: Partial<Bundle>): Promise<Told> {
  const { connection, time } = surroundings;
  process.env['CLIENT_ID'] = connection.clientId;
  process.env['CLIENT_SECRET'] = connection.clientSecret;
  process.env['BASE_URL'] = connection.baseUrl;
  let isRefreshed = false;
  for (let holds = 0; ; ) {
    const bundle = bundleOf(surroundings, given);
    try {
      return { outcome: 'done', value: await ended(time, Promise.resolve(perform(zObject(surroundings, bundle), bundle))) };
    } catch (error) {
      if (error instanceof errors.RefreshAuthError && !isRefreshed) {
        isRefreshed = true;
        const refused = await refresh(surroundings, bundle);
        if (refused === undefined) continue;
        if (!(refused instanceof errors.ThrottledError) || holds >= HOLDS) return shown(refused);
        // Held as well: the next run finds the token expired again.
        isRefreshed = false;
        holds += 1;
        await time.sleep(delayOf(refused) * 1000);
        continue;
      }
      if (error instanceof errors.ThrottledError && holds < HOLDS) {
        holds += 1;
        await time.sleep(delayOf(error) * 1000);
        continue;
      }
      return shown(error);
    }
  }
}

/** Runs the action or the search for an operation, as a step of a Zap. */
export const runAction = (surroundings: Surroundings, operation: Operation, inputData: Record<string, unknown>): Promise<Told> =>
  operation.yields === 'one'
    ? runStep(surroundings, method(`creates.${actionKey(operation)}.operation.perform`), { inputData })
    : allPages(surroundings, method(`searches.${actionKey(operation)}.operation.perform`), inputData);

/** Reads all pages of a search or of a dropdown, as long as Zapier gets a token for the next page. */
export async function allPages(surroundings: Surroundings, perform: Perform, inputData: Record<string, unknown> = {}): Promise<Told> {
  const all: unknown[] = [];
  for (let token: unknown; ; ) {
    const told = await runStep(surroundings, perform, { inputData, meta: token === undefined ? {} : { paging_token: token } } as never);
    if (told.outcome === 'failed') return told;
    const { results, paging_token: next } = told.value as { results: unknown[]; paging_token?: unknown };
    all.push(...results);
    if (next === null || next === undefined) return { outcome: 'done', value: all };
    token = next;
  }
}

/** @returns what the app threw, if it did */
async function refresh(surroundings: Surroundings, bundle: Bundle): Promise<unknown> {
  const { connection, time } = surroundings;
  try {
    const tokens = (await ended(time, Promise.resolve(refreshAccessToken(zObject(surroundings, bundle), bundle)))) as {
      access_token: string;
      refresh_token?: string;
    };
    connection.accessToken = tokens.access_token;
    // New values replace the stored ones, including null.
    if ('refresh_token' in tokens) connection.refreshToken = tokens.refresh_token;
    return undefined;
  } catch (error) {
    if (error instanceof StepEnded) throw error;
    return error;
  }
}

/** The platform ended the step, so nobody was told anything. */
export class StepEnded extends Error {}

async function ended<T>(time: Surroundings['time'], step: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = time.set(() => late.reject(new StepEnded('The step took longer than 30 seconds.')), STEP_MS);
  try {
    return await Promise.race([step, late.promise]);
  } finally {
    time.clear(timer);
  }
}

/** The platform puts an error of the app into its message as JSON. */
const unpacked = (error: Error): { message?: unknown; delay?: unknown } => {
  const value = parsed(error.message);
  return typeof value === 'object' && value !== null ? value : { message: error.message };
};

const delayOf = (error: Error): number => Number(unpacked(error).delay ?? 60);

function shown(error: unknown): Told {
  if (error instanceof StepEnded) throw error;
  // Zapier has a message of its own for a token that stays expired.
  if (error instanceof errors.RefreshAuthError) return failure('The connection has expired.', 'Reconnect the account.');
  if (error instanceof errors.Error || error instanceof errors.ThrottledError || error instanceof errors.ExpiredAuthError)
    return failure(String(unpacked(error).message), '');
  return { ...failure(error instanceof Error ? error.message : String(error), ''), defect: 'it is no error of Zapier' } as Told;
}
