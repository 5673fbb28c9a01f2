// G45, subscriptions that receive nothing. Seen: `state: "disabled"` (Calendly), `active: false` (Cal.com, GitHub).

import type { ServiceRecord } from '../records/fields.ts';
import { asText, hasValue, isNo, isYes } from '../values.ts';

/** Whether a subscription receives nothing, as far as its record says so (G45). */
export const isPaused = (record: ServiceRecord): boolean =>
  ['active', 'is_active', 'isActive', 'enabled', 'is_enabled'].some((key) => isNo(record[key])) ||
  isYes(record['disabled']) ||
  ['disabled_at', 'deleted_at'].some((key) => hasValue(record[key])) ||
  ['status', 'state'].some((key) => off.test(asText(record[key])));

const off = /^(?:disabled|inactive|paused|suspended|stopped|failed|revoked|expired|deleted)$/i;
