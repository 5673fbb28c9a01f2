import { clientAt, type Client, type ClientPorts } from './client.ts';

/**
 * A client for one call that someone may end. `sentAt` returns when a request that may have changed something was sent, in milliseconds
 * since the epoch; a refusal resets it.
 *
 * @param base as returned by `checkBaseUrl`
 * @param check called before each request, and before and after each wait, with the length of the wait; if it throws, the call ends
 */
export function clientOfCall(
  base: string,
  ports: Omit<ClientPorts, 'baseUrl'>,
  check: (waitMs: number, sentAt: number | undefined) => void,
): { client: Client; sentAt: () => number | undefined } {
  const { transport, clock } = ports;
  let sentAt: number | undefined;
  const client = clientAt(base, {
    ...ports,
    clock: {
      ...clock,
      async sleep(milliseconds) {
        check(milliseconds, sentAt);
        await clock.sleep(milliseconds);
        check(0, sentAt);
      },
    },
    async transport(request, route) {
      check(0, sentAt);
      if (request.method === 'GET') return transport(request, route);
      const before = sentAt;
      sentAt = clock.now();
      const answer = await transport(request, route);
      // A refusal changes nothing.
      if (answer.status >= 400 && answer.status < 500 && answer.status !== 408) sentAt = before;
      return answer;
    },
  });
  return { client, sentAt: () => sentAt };
}
