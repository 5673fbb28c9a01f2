import type { Exchange } from '../../shared/api/overFetch.ts';
import { brand } from '../../shared/brand.ts';
import { nodeExchange } from '../node/exchange.ts';

/** What a program on Node.js sends requests with. */
export const hostExchange: Exchange = nodeExchange(brand.slug);
