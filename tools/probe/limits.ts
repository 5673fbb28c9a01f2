import { rateLimitHeaders } from '../../shared/assumptions.ts';
import { retryAfter } from '../../shared/client/retryAfter.ts';
import { limits } from '../../shared/limits.ts';
import type { Findings } from './findings.ts';
import type { Ports } from './wire.ts';

/**
 * Lists subscriptions until the service refuses, which shows how it refuses (G16) and whether listing counts (G27). Live
 * triggers of the account cannot subscribe for a minute afterwards.
 */
export async function rateLimit(findings: Findings, { baseUrl, transportFor, token, now }: Ports): Promise<void> {
  const transport = transportFor(token);
  for (let request = 1; request <= limits.subscriptionRequestsPerMinute + 1; request += 1) {
    const { status, headers } = await transport({ method: 'GET', url: `${baseUrl}/hooks`, headers: { accept: 'application/json' } });
    if (status !== 429) continue;
    findings.note('countedRequests', 'as assumed', 'listing subscriptions counts towards the limit of subscription requests');
    const name = [rateLimitHeaders.retryAfter, ...rateLimitHeaders.resets].find((each) => headers[each] !== undefined);
    if (name === undefined) {
      findings.note('rateLimitHeaders', 'also read', 'a 429 does not say when to come back');
      return;
    }
    const value = headers[name] ?? '';
    const usual = name === rateLimitHeaders.retryAfter && /^\d+$/.test(value);
    const seconds = retryAfter(headers, now());
    const read = seconds === undefined ? 'nothing' : `${Math.round(seconds)} seconds`;
    findings.judge(
      'rateLimitHeaders',
      usual,
      `a 429 says \`${name}: ${value.slice(0, 40)}\`, read as ${read}`,
      undefined,
      seconds === undefined ? 'differs' : 'also read',
    );
    return;
  }
  findings.note(
    'countedRequests',
    'also read',
    `${limits.subscriptionRequestsPerMinute + 1} lists of subscriptions within a minute were not refused, so they do not count as subscription requests`,
  );
}
