import { brand } from '../../shared/brand.ts';
import { NetworkFault } from '../../shared/client/ports.ts';
import { ServiceError } from '../../shared/serviceError.ts';
import { tidy } from '../../shared/values.ts';
import type * as Network from './network.ts';

/** Replaces `./network.ts` where the runtime itself handles the network and does not tell programs why a connection failed. */
export const throughProxy: typeof Network.throughProxy = () => ({});

/** Whatever failed, the request may already have been sent. */
export const networkFault: typeof Network.networkFault = (error) =>
  error instanceof NetworkFault ? error : new NetworkFault(error instanceof Error ? error.message || error.name : String(error), true);

export const certificateCodes: typeof Network.certificateCodes = [];

export const faultAdvice: typeof Network.faultAdvice = () =>
  'Check the address in the connection and that the service is up, then try again.';

export const unreachable: typeof Network.unreachable = (origin, fault) =>
  new ServiceError('unreachable', {
    message: `${brand.name} at ${new URL(origin).host} did not answer (${tidy(fault.code)}).`,
    advice: faultAdvice(fault, false),
  });
