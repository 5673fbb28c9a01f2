import { html } from 'hono/html';
import { DateTime } from 'luxon';
import { instant } from '../records.ts';
import { zoneNamed } from '../zones.ts';
import type { HostHtml } from './layout.ts';

/** An instant in a time zone, formatted for people. */
export const moment = (at: string, zone: string): HostHtml =>
  html`<time datetime="${at}">${DateTime.fromISO(at, { zone: zoneNamed(zone) }).toFormat('ccc d LLL yyyy, HH:mm')}</time>`;

/** The time until or since an instant: "in 28 seconds". Both are milliseconds since the epoch. */
export function fromNow(at: number, now: number): string {
  const base = DateTime.fromMillis(now);
  return DateTime.fromMillis(at).toRelative({ base, locale: 'en' }) ?? instant(at);
}
