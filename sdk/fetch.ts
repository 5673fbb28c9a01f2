import { exchangeOver, type Exchange, type Fetch } from '../shared/api/overFetch.ts';

/** The given one, or the host's: looked up when it is called, because something else may be put in its place later. */
export const ownExchange = (given?: Fetch): Exchange => exchangeOver(given ?? ((address, init) => globalThis.fetch(address, init)));
