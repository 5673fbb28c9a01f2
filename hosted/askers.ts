import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { tryGetContext } from 'hono/context-storage';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import Provider, { errors } from 'oidc-provider';
import { measure, type Log } from './log.ts';

/** Whether the operator was warned about a proxy that the settings do not name. */
let isProxyTold = false;

/**
 * Identifies a requester by what a stranger cannot choose: the address or, for IPv6, the network that one customer has (/64).
 *
 * @param proxies how many proxies the operator has in front of this server. Each appends the address that it sees to `X-Forwarded-For`, so
 *   only that many entries from its end can be trusted
 */
export function askerOf({ req, env }: Context<ServerEnv>, proxies: number, log: Log): string {
  if (proxies === 0 && !isProxyTold && req.header('x-forwarded-for') !== undefined) {
    isProxyTold = true;
    log('warn', 'requests have X-Forwarded-For: if a proxy is in front, set SCHEDULING_MCP_PROXIES, or all senders count as one');
  }
  const seen = ((req.header('x-forwarded-for') ?? '').split(',').at(-proxies) ?? '').trim();
  // Some proxies append the port.
  const [, six, four] = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d+)?$/.exec(seen) ?? [];
  const told = six ?? four ?? seen;
  const address = proxies > 0 && isIP(told) !== 0 ? told : (env.incoming.socket.remoteAddress ?? '');
  if (!ipaddr.isValid(address)) return address;
  const known = ipaddr.process(address);
  return known instanceof ipaddr.IPv6 ? known.parts.slice(0, 4).join(':') : known.toString();
}

/** What is known about every request, whatever its path. */
export type ServerEnv = { Bindings: HttpBindings; Variables: { asker: string } };

/** The requester of the current work; empty for this server's own work. */
export const askerNow = (): string => tryGetContext<ServerEnv>()?.get('asker') ?? '';

/** Too many requests from one requester, reported as 429 with `Retry-After`. */
export class TooMany extends errors.TemporarilyUnavailable {
  readonly seconds: number;

  constructor(what: string, seconds: number) {
    super(`Too many ${what} at the moment. Try again in ${seconds} seconds.`);
    this.seconds = seconds;
  }
}

/** @param seconds until the requester may try again. @throws TooMany if set */
export function refuseFor(seconds: number | undefined, what: string): void {
  if (seconds === undefined) return;
  measure.refused.add(1, { reason: `too many ${what}` });
  // Set here too, because the library may turn this error into another one: see `makeProvider`.
  Provider.ctx?.set('retry-after', String(seconds));
  throw new TooMany(what, seconds);
}
