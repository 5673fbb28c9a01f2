import type { Exchange } from '../../shared/api/overFetch.ts';
import { brand } from '../../shared/brand.ts';
import { nodeExchange } from '../node/exchange.ts';

/** Sends requests on Node.js. */
export const hostExchange: Exchange = nodeExchange(brand.slug);
