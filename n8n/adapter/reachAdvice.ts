import { pollingTriggerName } from '../../shared/webhooks/reach.ts';

/** What to do where the service does not reach this n8n. In a file of its own, for documents to show it without n8n. */
export const reachAdvice = `Set WEBHOOK_URL to an address where the service can reach this n8n and restart n8n, or use ${pollingTriggerName}, which needs none.`;
