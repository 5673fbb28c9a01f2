import { exchangeOver, type Exchange, type Fetch } from '../shared/api/overFetch.ts';
// On runtimes other than Node.js, the package uses `web.ts` instead: see `imports` in its manifest.
import { hostExchange } from './host/node.ts';

/** The given `fetch`, or the client of the runtime. */
export const ownExchange = (given?: Fetch): Exchange => (given ? exchangeOver(given) : hostExchange);
