/**
 * What a program on Node.js knows about its network: the route through a proxy, and why a connection failed. In browsers and workers, the
 * manifest's `imports` replace this file by `./page.ts`.
 */
export { certificateCodes, networkFault } from '../../shared/client/networkFaults.ts';
export { faultAdvice, unreachable } from '../../shared/client/unreachable.ts';
export { throughProxy } from './proxy.ts';
