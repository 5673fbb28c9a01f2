import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { tryGetContext } from 'hono/context-storage';
import { HTTPException } from 'hono/http-exception';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { measure, type Log } from './log.ts';

/** Whether the operator was told of a proxy that the settings do not name. */
let isProxyTold = false;

/**
 * Who asks, as far as a stranger cannot choose it: their address, or the network of it that one customer has (IPv6: /64).
 *
 * @param proxies how many the operator has in front of this server. Each adds the address that it sees to `X-Forwarded-For`, so only that
 *   many from its end can be believed
 */
export function askerOf({ req, env }: Context<{ Bindings: HttpBindings; Variables: Asking }>, proxies: number, log: Log): string {
  if (proxies === 0 && !isProxyTold && req.header('x-forwarded-for') !== undefined) {
    isProxyTold = true;
    log('warn', 'X-Forwarded-For arrives: if a proxy is in front, set SCHEDULING_MCP_PROXIES, or all who ask count as one');
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
export interface Asking {
  asker: string;
  /** After how many seconds it may be sent again: its answer is then a 429. */
  wait?: number | undefined;
}

const now = () => tryGetContext<{ Variables: Asking }>();

/** Who asks for what is being done now; empty for what this server does by itself. */
export const askerNow = (): string => now()?.get('asker') ?? '';

/** The request that is being answered may be sent again after these seconds. */
export const askToWait = (seconds: number): void => now()?.set('wait', seconds);

/** @param seconds until somebody may ask again. @throws an error that is told as 429 with `Retry-After`; nothing if there are none */
export function refuseFor(seconds: number | undefined, what: string): void {
  if (seconds === undefined) return;
  measure.refused(`too many ${what}`);
  const message = `Too many ${what} at the moment. Try again in ${seconds} seconds.`;
  throw new HTTPException(429, {
    message,
    res: Response.json(
      { error: 'temporarily_unavailable', error_description: message },
      { status: 429, headers: { 'retry-after': String(seconds) } },
    ),
  });
}
