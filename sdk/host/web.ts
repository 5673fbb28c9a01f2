import { exchangeOver, type Exchange } from '../../shared/api/overFetch.ts';

/** Sends requests on every other runtime. `fetch` is looked up at each call, because it may be replaced later. */
export const hostExchange: Exchange = exchangeOver((address, init) => globalThis.fetch(address, init));
