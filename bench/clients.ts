import { createClient, type Client } from '../shared/client/client.ts';
import { backgroundPolicy } from '../shared/client/retry.ts';
import type { Clock } from '../shared/client/transport.ts';
import { fetchTransport } from '../tools/rigs/fetchTransport.ts';

const realTime: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  random: () => Math.random(),
};

/** The core's client for a service. */
export const serviceClient = (baseUrl: string, token: string): Client =>
  createClient({ baseUrl, transport: fetchTransport(token), clock: realTime, retryPolicy: backgroundPolicy });
