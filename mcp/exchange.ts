import { Agent, EnvHttpProxyAgent, type Dispatcher } from 'undici';
import { answerOf, type Received } from '../sdk/node/answer.ts';
import { mostBytes, type HttpClient, type FetchRequest } from '../shared/api/overFetch.ts';
import { networkFault, NetworkFault } from '../shared/api/transport.ts';

/** To one host at the same time. Further requests wait for a free one. */
const connections = 32;

/**
 * Requests over undici, which takes two thirds of the time of Node.js's own HTTP client. Connections are kept for the next request and do
 * not keep the process running. Redirects are not followed, because they would take the token along. Nothing is sent again here.
 *
 * @param agentName the user agent, because some services refuse requests without one
 */
export function undiciClient(agentName: string): HttpClient {
  const dispatcher = usesProxy() ? new EnvHttpProxyAgent({ proxyTunnel: false, connections }) : new Agent({ connections });
  return async (address, request, given) => answerOf(await received(dispatcher, agentName, address, request, given));
}

/** Whether this process was told to use the proxies that its environment names. */
function usesProxy(): boolean {
  const { NODE_USE_ENV_PROXY: wanted, NODE_OPTIONS: options = '' } = process.env;
  return wanted === '1' || [...process.execArgv, ...options.split(' ')].includes('--use-env-proxy');
}

/** @throws NetworkFault if no complete answer came. Before there is a connection, nothing was sent */
const received = (
  dispatcher: Dispatcher,
  agentName: string,
  address: string,
  { method, headers, body }: FetchRequest,
  given: AbortSignal,
): Promise<Received> =>
  new Promise((resolve, reject) => {
    if (given.aborted) return reject(new NetworkFault('ETIMEDOUT', false));
    const { origin, pathname, search } = new URL(address);
    let sending: Dispatcher.DispatchController | undefined;
    let failed: Error | undefined;
    let answer: Omit<Received, 'body'> = { status: 0, headers: {} };
    const pieces: Buffer[] = [];
    let read = 0;
    const fail = (fault: Error): void => {
      failed = fault;
      given.removeEventListener('abort', late);
      reject(fault);
      sending?.abort(fault);
    };
    const late = (): void => fail(new NetworkFault('ETIMEDOUT', sending !== undefined));
    given.addEventListener('abort', late);
    dispatcher.dispatch(
      {
        origin,
        path: pathname + search,
        method,
        headers: { ...headers, 'user-agent': agentName, 'accept-encoding': 'gzip, br' },
        body: body ?? null,
        // The signal ends it sooner.
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      {
        onRequestStart(controller) {
          // The time was over before there was a connection, and the caller was told that nothing was sent.
          if (failed !== undefined) controller.abort(failed);
          else sending = controller;
        },
        onResponseStart(_, status, found) {
          answer = { status, headers: found };
        },
        onResponseData(_, piece) {
          read += piece.length;
          if (read > mostBytes) fail(new NetworkFault('EMSGSIZE', true));
          else pieces.push(piece);
        },
        onResponseEnd() {
          given.removeEventListener('abort', late);
          resolve({ ...answer, body: Buffer.concat(pieces) });
        },
        onResponseError: (_, error) => fail(new NetworkFault(codeOf(error), sending !== undefined)),
      },
    );
  });

/** Node.js's words for undici's codes: people read them. */
const plainCodes: Readonly<Record<string, string>> = { UND_ERR_SOCKET: 'ECONNRESET', UND_ERR_CONNECT_TIMEOUT: 'ETIMEDOUT' };

/** The code of what went wrong. What has none was not HTTP. */
function codeOf(error: Error): string {
  const { code = 'EPROTO' } = networkFault(error) ?? {};
  return plainCodes[code] ?? code;
}
