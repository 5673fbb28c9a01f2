import type { Sandbox } from '../../sandbox/service.ts';
import { send, type Reply } from './support.ts';

/** The address of the consent page, with these parameters only. */
export function authorizeUrl(sandbox: Sandbox, parameters: Record<string, string>): string {
  return `${sandbox.origin}/oauth/authorize?${new URLSearchParams(parameters).toString()}`;
}

/** The usual parameters of the first client. */
export function usual(sandbox: Sandbox, more: Record<string, string> = {}): Record<string, string> {
  return {
    client_id: sandbox.client.id,
    redirect_uri: sandbox.client.redirectUris[0] ?? '',
    response_type: 'code',
    scope: 'bookings:read',
    state: 'st-1',
    ...more,
  };
}

export interface OpenPage {
  reply: Reply;
  consent: string;
  account: string;
  cookie: string;
}

/** Opens the consent page as a browser does. */
export async function openConsent(url: string): Promise<OpenPage> {
  const reply = await send(url);
  const [, consent = ''] = /name="consent" value="([^"]+)"/.exec(reply.text) ?? [];
  const [, account = ''] = /name="account" value="([^"]+)"/.exec(reply.text) ?? [];
  const [cookie = ''] = (reply.headers.get('set-cookie') ?? '').split(';');
  return { reply, consent, account, cookie };
}

/** Presses a button of the page. */
export function decide(
  sandbox: Sandbox,
  page: OpenPage,
  decision: 'approve' | 'deny',
  more: { headers?: Record<string, string>; fields?: Record<string, string> } = {},
): Promise<Reply> {
  return send(`${sandbox.origin}/oauth/authorize`, {
    method: 'POST',
    headers: { cookie: page.cookie, origin: sandbox.origin, ...more.headers },
    body: new URLSearchParams({ consent: page.consent, account: page.account, decision, ...more.fields }),
  });
}

/** Goes through the consent page and returns the address to which the browser is sent. */
export async function consentTo(sandbox: Sandbox, url: string): Promise<URL> {
  const reply = await decide(sandbox, await openConsent(url), 'approve');
  return new URL(reply.headers.get('location') ?? '');
}

/** A code for the first client. */
export async function newCode(sandbox: Sandbox, more: Record<string, string> = {}): Promise<string> {
  return (await consentTo(sandbox, authorizeUrl(sandbox, usual(sandbox, more)))).searchParams.get('code') ?? '';
}

/** Posts to the token endpoint, as the first client unless other fields are given. */
export function tokenCall(
  { origin, client: { id, secret } }: Sandbox,
  fields: Record<string, string>,
  {
    headers = {},
    path = '/api/oauth/token',
    asClient = true,
  }: { headers?: Record<string, string>; path?: string; asClient?: boolean } = {},
): Promise<Reply> {
  const body = new URLSearchParams({ ...(asClient && { client_id: id, client_secret: secret }), ...fields });
  return send(`${origin}${path}`, { method: 'POST', headers, body });
}

export function exchange(sandbox: Sandbox, code: string, more: Record<string, string> = {}): Promise<Reply> {
  return tokenCall(sandbox, { grant_type: 'authorization_code', code, redirect_uri: sandbox.client.redirectUris[0] ?? '', ...more });
}

export function refresh(sandbox: Sandbox, token: string, more: Record<string, string> = {}): Promise<Reply> {
  return tokenCall(sandbox, { grant_type: 'refresh_token', refresh_token: token, ...more });
}
