import { limits } from '../../shared/limits.ts';

/**
 * Zapier starts this many steps of a connection in a minute and queues the rest: a thousand replayed runs wait there, not within their 30
 * seconds. Half of the account's limit (section 8), because a step may need a second request. All steps share it, so that they have no
 * `action` in their scope and the same values.
 */
export const throttle = { window: 60, limit: limits.requestsPerMinute / 2, scope: ['auth' as const] };
