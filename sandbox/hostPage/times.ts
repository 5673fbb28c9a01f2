import { html } from 'hono/html';
import { DateTime } from 'luxon';
import { instant } from '../records.ts';
import { zoneNamed } from '../zones.ts';
import type { HostHtml } from './layout.ts';

/** An instant as people write it, in their time zone. */
export const moment = (at: string, zone: string): HostHtml =>
  html`<time datetime="${at}">${DateTime.fromISO(at, { zone: zoneNamed(zone) }).toFormat('ccc d LLL yyyy, HH:mm')}</time>`;

/** The time until an instant, or since it: "in 28 seconds". Both are milliseconds since the epoch. */
export function fromNow(at: number, now: number): string {
  const base = DateTime.fromMillis(now);
  return DateTime.fromMillis(at).toRelative({ base, locale: 'en' }) ?? instant(at);
}
