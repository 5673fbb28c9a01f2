import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { tryGetContext } from 'hono/context-storage';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import Provider, { errors } from 'oidc-provider';
import { measure, type Log } from './log.ts';

/** Whether the operator was told of a proxy that the settings do not name. */
let isProxyTold = false;

/**
 * Who asks, as far as a stranger cannot choose it: their address, or the network of it that one customer has (IPv6: /64).
 *
 * @param proxies how many the operator has in front of this server. Each adds the address that it sees to `X-Forwarded-For`, so only that
 *   many from its end can be believed
 */
export function askerOf({ req, env }: Context<ServerEnv>, proxies: number, log: Log): string {
  if (proxies === 0 && !isProxyTold && req.header('x-forwarded-for') !== undefined) {
    isProxyTold = true;
    log('warn', 'requests have X-Forwarded-For: if a proxy is in front, set SCHEDULING_MCP_PROXIES, or all senders count as one');
  }
  const seen = ((req.header('x-forwarded-for') ?? '').split(',').at(-proxies) ?? '').trim();
  // Some proxies add the port.
  const [, six, four] = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d+)?$/.exec(seen) ?? [];
  const told = six ?? four ?? seen;
  const address = proxies > 0 && isIP(told) !== 0 ? told : (env.incoming.socket.remoteAddress ?? '');
  if (!ipaddr.isValid(address)) return address;
  const known = ipaddr.process(address);
  return known instanceof ipaddr.IPv6 ? known.parts.slice(0, 4).join(':') : known.toString();
}

/** What is known of a request wherever it leads. */
export type ServerEnv = { Bindings: HttpBindings; Variables: { asker: string } };

/** Who asks for what is being done now; empty for what this server does by itself. */
export const askerNow = (): string => tryGetContext<ServerEnv>()?.get('asker') ?? '';

/** Somebody asks for more than is left for them, which is told as 429 with `Retry-After`. */
export class TooMany extends errors.TemporarilyUnavailable {
  readonly seconds: number;

  constructor(what: string, seconds: number) {
    super(`Too many ${what} at the moment. Try again in ${seconds} seconds.`);
    this.seconds = seconds;
  }
}

/** @param seconds until somebody may ask again. @throws TooMany if there are any */
export function refuseFor(seconds: number | undefined, what: string): void {
  if (seconds === undefined) return;
  measure.refused.add(1, { reason: `too many ${what}` });
  // Within the library, which may make another error of it on its way: see `makeProvider`.
  Provider.ctx?.set('retry-after', String(seconds));
  throw new TooMany(what, seconds);
}
