import { pollingTriggerName } from '../../shared/webhooks/index.ts';

/** What to do if the service cannot reach this n8n. In its own file, so that the documents can show it without n8n. */
export const reachAdvice = `Set WEBHOOK_URL to an address at which the service can reach this n8n, then restart n8n. Or use ${pollingTriggerName}, which needs no public address.`;
