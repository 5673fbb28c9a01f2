import type { Request } from './context.ts';
import { invalid } from './errors.ts';

/** Whether a host name, as `URL.hostname` returns it, always means this machine. No name is looked up. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** Whether a request comes from this machine and uses a loopback name. Any other name that leads here is a rebinding attack. */
export function isFromHere(c: Request): boolean {
  const remote = c.env.incoming.socket.remoteAddress ?? '';
  return /^(::ffff:)?127\.|^::1$/.test(remote) && isLoopback(new URL(c.req.url).hostname);
}

/**
 * The address of a subscription as it is stored: unchanged, so that clients recognise their own.
 *
 * @param anywhere whether to deliver to other machines too
 * @throws {Refusal} VALIDATION_ERROR
 */
export function parseTarget(url: string, anywhere: boolean): string {
  const target = URL.canParse(url) ? new URL(url) : undefined;
  if (target === undefined || !['http:', 'https:'].includes(target.protocol)) throw invalid('url', 'must be an http or https address');
  if (target.username !== '' || target.password !== '') throw invalid('url', 'must not contain a user name or password');
  if (!anywhere && !isLoopback(target.hostname)) {
    throw invalid(
      'url',
      `the sandbox delivers to this machine only (localhost, 127.0.0.1, [::1]), not to ${target.hostname}; start it with --allow-non-loopback to deliver elsewhere`,
    );
  }
  return url;
}
