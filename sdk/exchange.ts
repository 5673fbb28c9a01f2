import { exchangeOver, type Exchange, type Fetch } from '../shared/api/overFetch.ts';
// Where there is no Node.js, the package puts `web.ts` in its place: see `imports` in its manifest.
import { hostExchange } from './host/node.ts';

/** The given one, or what the host sends requests with. */
export const ownExchange = (given?: Fetch): Exchange => (given ? exchangeOver(given) : hostExchange);
