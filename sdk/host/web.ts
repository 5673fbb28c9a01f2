import { exchangeOver, type Exchange } from '../../shared/api/overFetch.ts';

/** What every other runtime sends requests with. Looked up when it is called, because something else may be put in its place later. */
export const hostExchange: Exchange = exchangeOver((address, init) => globalThis.fetch(address, init));
