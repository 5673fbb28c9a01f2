import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Request } from '../context.ts';

const KEPT = 1000;

/** What is told on the next page, once: the outcome of what was just done. */
export interface Flash {
  kind: 'done' | 'refused';
  text: string;
}

/** One browser. In memory: after a restart it gets a new one, and the forms of its open pages are refused. */
export interface Session {
  /** Stands in every form; a page of another site cannot know it. */
  token: string;
  /** The host that is acted for; the first one until another is chosen. */
  accountId: string | undefined;
  flash: Flash | undefined;
}

/** The browsers that have the host page open. */
export class Sessions {
  readonly #sessions = new Map<string, Session>();

  /** The session of the browser that asks, a new one where it has none. */
  of(c: Request): Session {
    const name = cookieName(c);
    const known = this.#sessions.get(cookieOf(c, name));
    if (known !== undefined) return known;
    const id = randomBytes(24).toString('base64url');
    const session = { token: randomBytes(24).toString('base64url'), accountId: undefined, flash: undefined };
    this.#sessions.set(id, session);
    for (const oldest of this.#sessions.keys()) {
      if (this.#sessions.size <= KEPT) break;
      this.#sessions.delete(oldest);
    }
    // Lax: a link from another page, such as a platform's editor, must not begin a new session and so spoil the forms that are open.
    c.header('set-cookie', `${name}=${id}; Path=/host; HttpOnly; SameSite=Lax`);
    return session;
  }
}

/** Whether a form comes from our own page: its token, and the origin that browsers send with every form. */
export function isOwnForm(c: Request, session: Session, fields: URLSearchParams): boolean {
  const expected = Buffer.from(session.token);
  const given = Buffer.from(fields.get('token') ?? '');
  return c.req.header('origin') === new URL(c.req.url).origin && given.length === expected.length && timingSafeEqual(given, expected);
}

/** Browsers keep cookies by host name whatever the port: two sandboxes must not take each other's. */
function cookieName(c: Request): string {
  return `sandbox_host_${new URL(c.req.url).port}`;
}

function cookieOf(c: Request, name: string): string {
  const pair = (c.req.header('cookie') ?? '').split(/; */).find((each) => each.startsWith(`${name}=`));
  return pair?.slice(name.length + 1) ?? '';
}
