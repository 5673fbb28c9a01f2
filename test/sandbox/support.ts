import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { brand } from '../../shared/brand.ts';
import { EVENTS } from '../../sandbox/records.ts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/service.ts';
import { typeNamed as typeOf } from '../contract/fixtures.ts';
import { serve } from '../support/serve.ts';

const running: Sandbox[] = [];

/** Stops what a test started, which otherwise happens after it. */
export async function stopAll(): Promise<void> {
  for (const each of running.splice(0).reverse()) await each.stop();
}
afterEach(stopAll);

export async function start(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await startSandbox(options);
  running.push(sandbox);
  return sandbox;
}

/** A JSON answer whose parts are found by path: `textAt(body, 'error', 'code')`. */
export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  body: unknown;
}

type Call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>;

const calls =
  (base: string, own: Record<string, string>): Call =>
  (method, path, body, headers = {}) => {
    const json = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    return send(`${base}${path}`, { method, headers: { ...own, ...type, ...headers }, ...json });
  };

interface Callable {
  baseUrl: string;
  issueToken: () => { access_token: string };
}

/** Calls the public API of a sandbox with a token. `path` is relative to the base URL. */
export const caller = ({ baseUrl, issueToken }: Callable, token = issueToken().access_token): Call =>
  calls(baseUrl, { authorization: `Bearer ${token}` });

/** Calls the host interface of a sandbox as its own page does. */
export const hostCaller = ({ origin }: Pick<Sandbox, 'origin'>): Call => calls(`${origin}/host/api`, { 'x-sandbox-host': '1' });

export async function send(url: string, init: RequestInit = {}): Promise<Reply> {
  const response = await fetch(url, { redirect: 'manual', ...init });
  const text = await response.text();
  const isJson = text !== '' && response.headers.get('content-type')?.startsWith('application/json') === true;
  return { status: response.status, headers: response.headers, text, body: isJson ? (JSON.parse(text) as unknown) : undefined };
}

/** The value at a path in a JSON value; undefined if the path ends early. */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? (inner as Record<string | number, unknown>)[key] : undefined),
    value,
  );
}

export function textAt(value: unknown, ...path: (string | number)[]): string {
  const found = at(value, ...path);
  if (typeof found !== 'string') throw new Error(`There is no text at ${path.join('.')} in ${JSON.stringify(value)}`);
  return found;
}

/** A booking in a time that the seed leaves free: `day` days after the sandbox's current time. */
export function bookingInput(sandbox: Sandbox, more: Record<string, unknown> = {}, day = 60): Record<string, unknown> {
  return {
    event_type_id: typeNamed(sandbox, 'Intro Call'),
    start_time: new Date(sandbox.clock.now() + day * 86_400_000).toISOString(),
    invitee_name: 'Nadia Ortiz',
    invitee_email: 'nadia@example.com',
    ...more,
  };
}

export const typeNamed = (sandbox: Sandbox, name: string): string => typeOf(sandbox, name).id;

/** The address of the consent page, by default as the first client asks for it. */
export function authorizeUrl({ origin, client }: Sandbox, more: Record<string, string> = {}): string {
  const redirect_uri = client.redirectUris[0] ?? '';
  const usual = { client_id: client.id, redirect_uri, response_type: 'code', scope: 'bookings:read', state: 'st-1' };
  return `${origin}/oauth/authorize?${new URLSearchParams({ ...usual, ...more }).toString()}`;
}

/** Opens the consent page as a browser does. */
export async function openConsent(url: string) {
  const reply = await send(url);
  const [, account = ''] = /name="account" value="([^"]+)"/.exec(reply.text) ?? [];
  const [, action = ''] = /action="([^"]+)"/.exec(reply.text) ?? [];
  return { reply, account, target: new URL(action.replaceAll('&amp;', '&'), url) };
}

/** Presses a button of the page. */
export function decide(
  { target, account }: Awaited<ReturnType<typeof openConsent>>,
  decision: 'approve' | 'deny',
  more: { headers?: Record<string, string>; fields?: Record<string, string> } = {},
): Promise<Reply> {
  return send(target.href, {
    method: 'POST',
    headers: { origin: target.origin, ...more.headers },
    body: new URLSearchParams({ account, decision, ...more.fields }),
  });
}

/** Goes through the consent page and returns the address to which the browser is sent. */
export async function consentTo(url: string): Promise<URL> {
  const reply = await decide(await openConsent(url), 'approve');
  return new URL(reply.headers.get('location') ?? '');
}

/** A code for the first client. */
export async function newCode(sandbox: Sandbox, more: Record<string, string> = {}): Promise<string> {
  return (await consentTo(authorizeUrl(sandbox, more))).searchParams.get('code') ?? '';
}

/** Posts to the token endpoint, as the first client unless other fields are given. */
export function tokenCall(
  { origin, client: { id, secret } }: Sandbox,
  fields: Record<string, string>,
  path = '/api/oauth/token',
): Promise<Reply> {
  return send(`${origin}${path}`, { method: 'POST', body: new URLSearchParams({ client_id: id, client_secret: secret, ...fields }) });
}

export function exchange(sandbox: Sandbox, code: string, more: Record<string, string> = {}): Promise<Reply> {
  return tokenCall(sandbox, { grant_type: 'authorization_code', code, redirect_uri: sandbox.client.redirectUris[0] ?? '', ...more });
}

export function refresh(sandbox: Sandbox, token: string, more: Record<string, string> = {}): Promise<Reply> {
  return tokenCall(sandbox, { grant_type: 'refresh_token', refresh_token: token, ...more });
}

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

interface Receiver {
  url: string;
  received: Received[];
  /** The statuses of the next answers; 200 once they are used up. A status of 0 means that no answer comes. */
  answers: number[];
  stop(): void;
}

/** The HTTP server of a subscriber. It keeps what it receives. */
export async function startReceiver(headers: Record<string, string> = {}): Promise<Receiver> {
  const received: Received[] = [];
  const answers: number[] = [];
  const answer: RequestListener = (request, response) => {
    void text(request).then((body) => {
      received.push({ headers: request.headers, body });
      const status = answers.shift() ?? 200;
      if (status !== 0) response.writeHead(status, headers).end(status === 204 ? undefined : `answer ${received.length}`);
    });
  };
  const server = createServer(answer);
  const url = `http://127.0.0.1:${await serve(answer, server)}/hook`;
  const stop = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url, received, answers, stop };
}

/** A subscriber to everything. It checks what it is sent against section 6 of the public document. */
export interface Listener extends Receiver {
  /** The events that came so far, each with a valid signature over its exact bytes, in the order of their names. */
  heard(): Promise<string[]>;
}

export async function listenToAll(sandbox: Sandbox): Promise<Listener> {
  const receiver = await startReceiver();
  const { body } = await caller(sandbox)('POST', '/hooks', { url: receiver.url, events: EVENTS });
  const secret = textAt(body, 'signing_secret');
  return {
    ...receiver,
    async heard() {
      await sandbox.settled();
      const events = receiver.received.map((delivery) => {
        if (deliveryHeader(delivery, 'Signature') !== signatureOf(delivery, secret))
          throw new Error(`This came with another signature: ${delivery.body}`);
        return deliveryHeader(delivery, 'Event');
      });
      return events.sort();
    },
  };
}

export const deliveryHeader = ({ headers }: Received, name: string): string =>
  String(headers[`${brand.headerPrefix}-${name}`.toLowerCase()]);

/** Computed here and not by the sandbox, as an independent check. */
export const signatureOf = ({ body }: Received, secret: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

/** A text as the sandbox's pages contain it. */
export const inHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;');
