import { exchangeOver, type HttpClient, type Fetch } from '../shared/api/overFetch.ts';

/** The given `fetch`, or that of the runtime. It is looked up at each call, because it may be replaced later. */
export const ownHttpClient = (given?: Fetch): HttpClient => exchangeOver(given ?? ((address, init) => globalThis.fetch(address, init)));
