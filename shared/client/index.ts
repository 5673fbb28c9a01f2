/** Requests to the API: one call with its retries, limits and errors. The exports of this folder for other folders. */
export { type Account, accountOf, parseAccount } from './account.ts';
export { type Client, type ClientPorts, createClient } from './client.ts';
export { networkFault } from './networkFaults.ts';
export { unreachable } from './unreachable.ts';
export { clientOfCall } from './clientOfCall.ts';
export { isGeneralAdvice } from '../generalAdvice.ts';
export { refusal } from './errors.ts';
export { type ErrorKind, ignoreRefusal, ServiceError } from '../serviceError.ts';
export { maxBytes } from './httpClient.ts';
export { accountLimiter, type AccountLimiter, type Sender } from './limiter.ts';
export { activationPolicy, backgroundPolicy, interactivePolicy, type RetryPolicy, zapierStepPolicy } from './retry.ts';
export { type ApiRequest, type ApiResponse, type Clock, NetworkFault, NotSent, tooLongCode, type Transport } from './ports.ts';
export { apiPath, checkBaseUrl } from './baseUrl.ts';
