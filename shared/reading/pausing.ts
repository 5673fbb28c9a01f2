// G45, subscriptions that receive nothing. Seen: `state: "disabled"` (Calendly), `active: false` (Cal.com, GitHub), `status: "paused"` (Close).

import type { ServiceRecord } from '../records/fields.ts';
import { asText, hasValue, isNo, isYes } from '../values.ts';

/** Whether a subscription receives nothing, as far as its record says so (G45). */
export const isPaused = (record: ServiceRecord): boolean =>
  Object.entries(record).some(([name, value]) => {
    const [, word = name, ending] = /^(?:is_?)?(.+?)(_?at)?$/i.exec(name) ?? [];
    if (ending !== undefined) return off.test(word) && hasValue(value);
    if (/^(?:status|state)$/.test(name)) return [off, offStatus].some((each) => each.test(asText(value)));
    return /^(?:active|enabled)$/i.test(word) ? isNo(value) : off.test(word) && isYes(value);
  });

const off = /^(?:disabled|inactive|deactivated|paused|suspended|deleted)$/i;
/** Only as a status: a field `failed_at` may tell of one delivery. */
const offStatus = /^(?:stopped|failed|revoked|expired)$/i;
