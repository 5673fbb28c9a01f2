/**
 * What a program on Node.js knows of its network: the way through a proxy, and why a connection failed. The manifest's `imports` put
 * `./page.ts` in its place in browsers and workers.
 */
export { certificateCodes, networkFault } from '../../shared/client/networkFaults.ts';
export { faultAdvice, unreachable } from '../../shared/client/unreachable.ts';
export { throughProxy } from './proxy.ts';
