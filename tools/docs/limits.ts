import { limits } from '../../shared/limits.ts';
import { interactivePolicy, activationPolicy, faultWaitMs, zapierStepPolicy, backgroundPolicy } from '../../shared/client/retry.ts';
import { assumptions, latestCommit, listScan } from '../../shared/assumptions.ts';
import { brand } from '../../shared/brand.ts';
import { pollShare } from '../../shared/polling/pace.ts';
import { renewal } from '../../shared/oauth/tokenRefresher.ts';
import { rememberedDeliveries } from '../../shared/webhooks/memory.ts';
import { throttle } from '../../zapier/adapter/throttle.ts';
import { inMarkdown } from '../build/brand/replace.ts';
import { page, table } from './markdown.ts';

const number = (value: number): string => value.toLocaleString('en-US');
const seconds = (ms: number): string => `${ms / 1000} s`;

const forPolls = [
  'The same, for polls',
  `${number(limits.requestsPerMinute * pollShare)} a minute for each polling trigger`,
  `A poll reads whole lists, one call for each ${limits.pageSize} records. n8n's polling trigger skips polls that come too early: [how often](../guides/polling.md#what-a-poll-costs)`,
];

/** The limits of the service, and what they mean for running automations. */
export function limitsPage(): string {
  const most = listScan.pages * limits.pageSize;
  return page(
    'Limits',
    table(
      ['What', 'Limit', 'What it means for you'],
      [
        [
          'Active webhook subscriptions per account',
          String(limits.subscriptions),
          `Each Zap that is on, each published workflow with a trigger and each trigger that listens for a test event uses one. **The ${limits.subscriptions + 1}th is refused** with a count by host`,
        ],
        [
          'Subscription requests',
          `${limits.subscriptionRequestsPerMinute} a minute`,
          'Listing, creating and deleting count together (G27). Turning many triggers on or off takes minutes. n8n waits and continues; Zapier asks you to try again',
        ],
        [
          'All requests',
          `${number(limits.requestsPerMinute)} a minute`,
          `n8n stays below the limit and waits if it is reached. Zapier starts ${throttle.limit} steps of a connection a minute and queues the rest; a step that is refused waits and runs again`,
        ],
        forPolls,
        [
          'Token exchanges',
          `${limits.tokenExchangesPerMinute} a minute`,
          `Connecting uses one. The service does not document who the limit counts for, or whether a refresh counts. If refreshes count per client id, about ${number(limits.tokenExchangesPerMinute * 60)} active connections with hourly tokens reach it. Requests whose token could not be refreshed fail and say when to try again`,
        ],
        ['Page size', `${limits.pageSize}, ${limits.defaultPageSize} by default`, 'Lists are read in full pages, as far as needed'],
      ],
    ),
    `## The ${limits.subscriptions} subscriptions`,
    `They belong to the ${inMarkdown(brand.name)} account, not to a connection: Zapier, n8n and your own applications share them. To run more automations:`,
    [
      '- let one n8n trigger listen to several events and branch by `event`: it uses one subscription for all of them;',
      '- filter by event type instead of adding a second trigger;',
      '- in Zapier, combine Zaps with the same trigger by using Paths;',
      '- find unused subscriptions with *Webhook Subscription: Get Many* in n8n, which shows their addresses, and remove them with *Delete*.',
    ].join('\n'),
    '## What waits, and how long',
    table(
      ['', 'n8n and custom applications', 'Zapier'],
      [
        [
          'Tries of a read after no answer or a server error (5xx)',
          String(backgroundPolicy.attempts),
          `${zapierStepPolicy.attempts}, the second at once. Then the step fails. If the service says when to try again, the step waits and runs again`,
        ],
        [
          'Longest wait for these tries',
          `${seconds(faultWaitMs)}. Then the error shows what the service says, also if it asks for a longer wait`,
          seconds(zapierStepPolicy.totalWaitMs),
        ],
        [
          'Longest wait of a request after the rate limit, and of a run while all requests are refused',
          `${seconds(backgroundPolicy.totalWaitMs)}; ${seconds(activationPolicy.totalWaitMs)} while a trigger is set up, ${seconds(interactivePolicy.totalWaitMs)} for a list in a panel`,
          `the step waits and runs again; ${seconds(zapierStepPolicy.totalWaitMs)} within the step`,
        ],
        [
          'A token that cannot be refreshed',
          `reported within ${seconds(renewal.deadlineMs)} and remembered for ${seconds(renewal.rememberedMs)}`,
          'refreshed by Zapier; reported within 20 s',
        ],
        [
          'After the answer to a create was lost: looks for the booking at once, and after',
          backgroundPolicy.readBackMs.slice(1).map(seconds).join(', '),
          zapierStepPolicy.readBackMs.slice(1).map(seconds).join(', '),
        ],
        [
          `Creates a booking again that was certainly lost (G29)`,
          `the next try, once ${latestCommit.seconds} s have passed`,
          `the next run of the step, once ${latestCommit.seconds} s have passed`,
        ],
      ],
    ),
    '## Limits of this project',
    table(
      ['What', 'Limit', 'Because'],
      [
        [
          'Bookings or contacts that a search reads',
          number(most),
          `${assumptions.listScan.gap.toLowerCase()}: ${assumptions.listScan.assumed} (G31). If there are more, search by email`,
        ],
        ['Test data of a Zapier trigger', '3 records of the first 100', 'it is only for mapping fields'],
        [
          'Deliveries remembered to drop repeats',
          `the last ${number(rememberedDeliveries)} of all triggers in each n8n process, which forgets them when it ends; a day in Zapier`,
          'to be exact, save `delivery_key`, as in [Handle each delivery once](../guides/once.md)',
        ],
        ['An id', '512 characters', 'addresses must have a limited length'],
      ],
    ),
  );
}
