import { fetchClient, sendAuthorized } from '../../shared/client/httpClient.ts';
import type { Transport } from '../../shared/client/transport.ts';

const TIMEOUT_MS = 30_000;

/** The core's port over plain `fetch`, as a custom application would write it to use the core. */
export const fetchTransport =
  (token: string): Transport =>
  (request) =>
    sendAuthorized(fetchClient(fetch), request, token, AbortSignal.timeout(TIMEOUT_MS));
