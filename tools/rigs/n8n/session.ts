import { credentialType } from '../../../n8n/adapter/names.ts';
import type { Sandbox } from '../../../sandbox/service.ts';
import { brand } from '../../../shared/brand.ts';
import { Browser, textOf } from '../zapier/browser.ts';

export interface Owner {
  email: string;
  password: string;
  firstName: string;
  lastName: string;
}

/** A person who is signed in to n8n. As in the editor, requests have a cookie that is bound to one browser id. */
export class N8nSession {
  readonly origin: string;
  #cookie = '';

  private constructor(origin: string) {
    this.origin = origin;
  }

  /** Signs in. If n8n has no owner yet, the account is created. */
  static async open(origin: string, owner: Owner): Promise<N8nSession> {
    const session = new N8nSession(origin);
    const login = { emailOrLdapLoginId: owner.email, password: owner.password };
    await session.post('/rest/login', login).catch(() => session.post('/rest/owner/setup', owner));
    return session;
  }

  get<Answer>(path: string): Promise<Answer> {
    return this.#ask('GET', path);
  }

  post<Answer>(path: string, body: unknown = {}): Promise<Answer> {
    return this.#ask('POST', path, body);
  }

  patch<Answer>(path: string, body: unknown): Promise<Answer> {
    return this.#ask('PATCH', path, body);
  }

  delete(path: string): Promise<unknown> {
    return this.#ask('DELETE', path);
  }

  /** The response to this person, for pages and files, which have no envelope. */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    // n8n closes an idle connection after five seconds. On a busy machine, a request could be sent on a connection that is being closed.
    const headers = {
      cookie: this.#cookie,
      'browser-id': 'scripted',
      connection: 'close',
      // On loopback, compression would only cost time.
      'accept-encoding': 'identity',
      ...Object.fromEntries(new Headers(init.headers)),
    };
    return fetch(new URL(path, this.origin), { ...init, headers });
  }

  async #ask<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await this.fetch(path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    for (const cookie of response.headers.getSetCookie())
      if (cookie.startsWith('n8n-auth=')) this.#cookie = cookie.slice(0, cookie.indexOf(';'));
    const text = await response.text();
    if (!response.ok) throw new Error(`n8n answered ${response.status} to ${method} ${path.replace(/\?.*/, '')}: ${text.slice(0, 500)}`);
    const answer = (text === '' ? {} : JSON.parse(text)) as { data?: Answer };
    return answer.data ?? (answer as Answer);
  }
}

/**
 * Signs a browser in and sends it to a page of n8n. The request has no browser id, so n8n binds its cookie to no browser. If n8n refuses,
 * its own page asks for the password.
 */
export async function signIn(origin: string, { email, password }: Owner, path: string): Promise<Response> {
  const answer = await fetch(`${origin}/rest/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({ emailOrLdapLoginId: email, password }),
  });
  const cookies = answer.headers.getSetCookie().map((cookie): [string, string] => ['set-cookie', cookie]);
  return new Response(null, { status: 303, headers: [['location', origin + path], ['cache-control', 'no-store'], ...cookies] });
}

/**
 * Installs a package as a person does under Settings > Community nodes, or updates it. n8n fetches it through npm. For a package that is
 * not published, see `unpublished` of StartOptions.
 */
export async function installPackage(session: N8nSession, name: string): Promise<void> {
  const installed = await session.get<{ packageName: string }[]>('/rest/community-packages');
  if (installed.some(({ packageName }) => packageName === name)) await session.patch('/rest/community-packages', { name });
  else await session.post('/rest/community-packages', { name });
}

export interface Credential {
  id: string;
  name: string;
  type: string;
}

/** Saves a credential's dialog. After it was saved again, it must be connected again. */
export const createCredential = (
  session: N8nSession,
  form: { name: string; type: string; data: Record<string, unknown> },
  id?: string,
): Promise<Credential> => (id === undefined ? session.post('/rest/credentials', form) : session.patch(`/rest/credentials/${id}`, form));

export const listCredentials = (session: N8nSession): Promise<Credential[]> => session.get('/rest/credentials');

/** The redirect address to register with the service, to which the browser returns to n8n. */
export function redirectUri(n8nOrigin: string): string {
  return `${n8nOrigin}/rest/oauth2-credential/callback`;
}

/**
 * Connects a credential as the button in n8n's dialog does: asks n8n for the address of the consent page, agrees there in a browser, and
 * returns to n8n with the signed-in person's cookie.
 *
 * @throws a readable error if the service or n8n refuses
 */
export async function connectCredential(session: N8nSession, id: string): Promise<void> {
  const authorizeUrl = await session.get<string>(`/rest/oauth2-credential/auth?id=${id}`);
  const answer = await session.fetch(await new Browser().agree(authorizeUrl, redirectUri(session.origin)));
  const page = await answer.text();
  // n8n's page sends this message to the editor that opened it. A refusal is a page with status 200, too.
  if (!page.includes("postMessage('success')")) throw new Error(`n8n did not accept the connection: ${textOf(page).slice(0, 300)}`);
}

/** Makes a credential for the sandbox's client and connects it by OAuth. @param existing a credential to reconnect to this sandbox */
export async function connectToSandbox(session: N8nSession, sandbox: Sandbox, existing?: Credential): Promise<Credential> {
  sandbox.allowRedirect(redirectUri(session.origin));
  const form = {
    name: `${brand.name} account`,
    type: credentialType,
    data: { clientId: sandbox.client.id, clientSecret: sandbox.client.secret, baseUrl: sandbox.baseUrl },
  };
  const credential = await createCredential(session, form, existing?.id);
  await connectCredential(session, credential.id);
  return credential;
}
