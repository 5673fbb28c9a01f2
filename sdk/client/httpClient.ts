import { fetchClient, type Fetch, type HttpClient } from '../../shared/client/httpClient.ts';

/** A client over the given `fetch`, or over that of the runtime. It is looked up at each call, because it may be replaced later. */
export const ownHttpClient = (replacement?: Fetch): HttpClient =>
  fetchClient(replacement ?? ((address, init) => globalThis.fetch(address, init)));
