import * as z from 'zod/v4';
import type { Page } from '../zapier/backend.ts';

/** The owner of an n8n. */
export interface Owner {
  email: string;
  password: string;
  firstName: string;
  lastName: string;
}

/** An error from n8n, in its own words. */
export class N8nRefusal extends Error {
  override readonly name = 'N8nRefusal';
  readonly status: number;

  constructor(status: number, request: string, words: string) {
    super(`n8n answered ${status} to ${request}: ${words}`);
    this.status = status;
  }
}

const Envelope = z.looseObject({ data: z.unknown() });
const Refused = z.looseObject({ message: z.string() });

/** A person who is signed in to n8n. As in the editor, requests have a cookie that is bound to one browser id. */
export class N8nSession {
  readonly origin: string;
  #cookie = '';

  private constructor(origin: string) {
    this.origin = origin;
  }

  /** Signs in. If the n8n has no owner yet, the account is created first. */
  static async open(origin: string, owner: Owner): Promise<N8nSession> {
    try {
      return await N8nSession.setUp(origin, owner);
    } catch (error) {
      // An n8n that has an owner refuses a second one with 400.
      if (error instanceof N8nRefusal && error.status === 400) return N8nSession.signIn(origin, owner);
      throw error;
    }
  }

  /** Creates the account of a new n8n's owner, and signs in. */
  static async setUp(origin: string, owner: Owner): Promise<N8nSession> {
    await new N8nSession(origin).post('/rest/owner/setup', owner);
    return N8nSession.signIn(origin, owner);
  }

  static async signIn(origin: string, { email, password }: Owner): Promise<N8nSession> {
    const session = new N8nSession(origin);
    await session.post('/rest/login', { emailOrLdapLoginId: email, password });
    return session;
  }

  get(path: string): Promise<unknown> {
    return this.#ask('GET', path);
  }

  post(path: string, body: unknown = {}): Promise<unknown> {
    return this.#ask('POST', path, body);
  }

  patch(path: string, body: unknown): Promise<unknown> {
    return this.#ask('PATCH', path, body);
  }

  delete(path: string): Promise<unknown> {
    return this.#ask('DELETE', path);
  }

  /** The answer to this person, for pages and files, which have no envelope. */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    // n8n closes an idle connection after five seconds. On a busy machine, a request could be sent on one that is just being closed.
    const headers = {
      cookie: this.#cookie,
      'browser-id': 'scripted',
      connection: 'close',
      ...Object.fromEntries(new Headers(init.headers)),
    };
    return fetch(new URL(path, this.origin), { ...init, headers });
  }

  async #ask(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await this.fetch(path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    for (const cookie of response.headers.getSetCookie())
      if (cookie.startsWith('n8n-auth=')) this.#cookie = cookie.slice(0, cookie.indexOf(';'));
    const text = await response.text();
    if (!response.ok) throw new N8nRefusal(response.status, `${method} ${path.replace(/\?.*/, '')}`, wordsOf(text));
    const answer: unknown = text === '' ? {} : JSON.parse(text);
    return Envelope.safeParse(answer).data?.data ?? answer;
  }
}

/**
 * Signs a browser in and sends it to a page of n8n. Without a browser id in the request, n8n binds its cookie to no browser. If n8n
 * refuses, its own page asks for the password.
 *
 * @param path of n8n's page, such as `/home/workflows`
 */
export async function signInPage(origin: string, { email, password }: Owner, path: string): Promise<Page> {
  const answer = await fetch(`${origin}/rest/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({ emailOrLdapLoginId: email, password }),
  });
  return { status: 303, headers: { location: origin + path, 'set-cookie': answer.headers.getSetCookie() }, html: '' };
}

/** The message of an error answer, or the beginning of any other answer. */
function wordsOf(text: string): string {
  try {
    return Refused.parse(JSON.parse(text)).message;
  } catch {
    return text.slice(0, 300);
  }
}

const Installed = z.looseObject({ packageName: z.string(), installedVersion: z.string() });

/**
 * Installs a package as a person does under Settings > Community nodes, or updates an installed one.
 * n8n fetches it through npm. For a package that is not published, see `unpublished` of N8nSettings.
 */
export async function installPackage(session: N8nSession, name: string): Promise<void> {
  const installed = z.array(Installed).parse(await session.get('/rest/community-packages'));
  const isThere = installed.some(({ packageName }) => packageName === name);
  if (isThere) await session.patch('/rest/community-packages', { name });
  else await session.post('/rest/community-packages', { name });
}
