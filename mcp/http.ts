import type { HttpBindings } from '@hono/node-server';
import {
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  originValidationResponse,
  type Server,
} from '@modelcontextprotocol/server';
import { parsed } from '../shared/values.ts';
import { isSame } from '../sdk/oauth/random.ts';
import { UnreadableBody } from '../sdk/webhooks/body.ts';
import { httpHandler, isSentBy } from './adapter/answerForms.ts';
import { asMeant, bearerIn } from './adapter/requestForms.ts';
import { listenAt, textOf, unreadAnswer } from './adapter/serving.ts';

export interface HttpListening {
  port: number;
  /** The key that a caller must send as a bearer token; `undefined` if none is needed. */
  key: string | undefined;
  log: (line: string) => void;
}

/** Larger than any call, and longer than any takes to arrive. */
const bounds = { bodyBytes: 1_000_000, bodyMs: 60_000 };

/** Whether the page belongs to this server itself. Other pages on this machine have another port. */
function isSameOrigin({ headers }: Request): boolean {
  const origin = headers.get('origin') ?? '';
  return URL.canParse(origin) && new URL(origin).host === headers.get('host');
}

/** What is said under any other name of this machine, which programs in containers have. */
const otherName =
  'Without a key, this server answers only at 127.0.0.1 and localhost. Start it with SCHEDULING_MCP_KEY, and send that key as a bearer token.';

/** What is said at any other address. A client without the key looks there for a sign-in, and shows its person the last answer. */
const elsewhere = (isKnown: boolean): string =>
  `The address ends in /mcp.${isKnown ? '' : ' There is no sign-in: the key is sent as a bearer token, and is missing or wrong.'}`;

export interface HttpHandle {
  address: string;
  close(): Promise<void>;
}

/**
 * Serves the protocol over HTTP to programs on this machine. Browser pages are refused, even those of this machine. Without a key, so is an
 * unknown host name, which somebody may have directed to this machine.
 *
 * @throws an error for people if the port is taken
 */
export async function serveHttp(factory: () => Server, { port, key, log }: HttpListening): Promise<HttpHandle> {
  const handler = httpHandler(factory, {
    onerror: ({ name }) => log(`A request failed (${name}).`),
  });
  const answer = async (request: Request, { incoming, outgoing }: HttpBindings): Promise<Response> => {
    // With one, a name that somebody bent towards this machine gives them nothing.
    if (key === undefined && hostHeaderValidationResponse(request, localhostAllowedHostnames()) !== undefined)
      return new Response(otherName, { status: 403 });
    const refused = isSameOrigin(request) ? undefined : originValidationResponse(request, []);
    if (refused !== undefined) return refused;
    const isKnown = key === undefined || isSame(bearerIn(request), key);
    if (!/^\/mcp\/?$/.test(new URL(request.url).pathname)) return new Response(elsewhere(isKnown), { status: 404 });
    if (!isKnown) return new Response('The key is missing or wrong.', { status: 401, headers: { 'www-authenticate': 'Bearer' } });
    const authInfo = { token: '', clientId: '', scopes: [], extra: { isSent: isSentBy(outgoing) } };
    if (request.method !== 'POST') return handler.fetch(request, { authInfo });
    return handler.fetch(request, { authInfo, parsedBody: asMeant(parsed(await textOf(incoming, bounds))) ?? null });
  };
  const fetch = (request: Request, bindings: HttpBindings): Promise<Response> =>
    answer(request, bindings).catch((error: unknown) => {
      if (error instanceof UnreadableBody) return unreadAnswer(error);
      throw error;
    });
  const { server, address } = await listenAt({ host: '127.0.0.1', port, chosenBy: '--http' }, fetch);
  // A client that is silent for longer than any call takes has gone, or does not read.
  server.setTimeout(120_000);
  return {
    address: `${address}/mcp`,
    async close() {
      await handler.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
