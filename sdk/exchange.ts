import { exchangeOver, type Exchange, type Fetch } from '../shared/api/overFetch.ts';

/** The given `fetch`, or that of the runtime. It is looked up at each call, because it may be replaced later. */
export const ownExchange = (given?: Fetch): Exchange => exchangeOver(given ?? ((address, init) => globalThis.fetch(address, init)));
