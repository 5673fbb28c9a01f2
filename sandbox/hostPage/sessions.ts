import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Request } from '../context.ts';

const KEPT = 1000;

/** A message that the next page shows once: the result of what was just done. */
export interface Flash {
  kind: 'done' | 'refused';
  text: string;
}

/** One browser. Kept in memory: after a restart it gets a new session, and the forms on its open pages are refused. */
export interface Session {
  /** Part of every form. A page of another site cannot know it. */
  token: string;
  /** The host that this browser acts for: the first one, until another is chosen. */
  /** The start page, if this browser came from there. */
  start?: string | undefined;
  accountId: string | undefined;
  flash: Flash | undefined;
}

/** The browsers that have the host page open. */
export class Sessions {
  readonly #sessions = new Map<string, Session>();

  /** The session of the browser that sent the request, or a new session if it has none. */
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
    // Lax: a link from another page, such as a platform's editor, must not start a new session, which would invalidate the open forms.
    c.header('set-cookie', `${name}=${id}; Path=/host; HttpOnly; SameSite=Lax`);
    return session;
  }
}

/** Whether a form comes from our own page. This is known by its token and by the origin that browsers send with every form. */
export function isOwnForm(c: Request, session: Session, fields: URLSearchParams): boolean {
  const expected = Buffer.from(session.token);
  const given = Buffer.from(fields.get('token') ?? '');
  return c.req.header('origin') === new URL(c.req.url).origin && given.length === expected.length && timingSafeEqual(given, expected);
}

/** Browsers keep cookies by host name and ignore the port. Two sandboxes must not use each other's cookies. */
function cookieName(c: Request): string {
  return `sandbox_host_${new URL(c.req.url).port}`;
}

function cookieOf(c: Request, name: string): string {
  const pair = (c.req.header('cookie') ?? '').split(/; */).find((each) => each.startsWith(`${name}=`));
  return pair?.slice(name.length + 1) ?? '';
}
