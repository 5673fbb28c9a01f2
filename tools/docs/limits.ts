import { mostResent } from '../../shared/api/reconcile.ts';
import { limits } from '../../shared/limits.ts';
import { attended, hurried, patient } from '../../shared/api/retry.ts';
import { assumptions, latestCommit, listScan } from '../../shared/assumptions.ts';
import { brand } from '../../shared/brand.ts';
import { pollShare } from '../../shared/changes/pace.ts';
import { renewal } from '../../shared/renewal.ts';
import { rememberedDeliveries } from '../../shared/webhooks/memory.ts';
import { page, table } from './markdown.ts';

const number = (value: number): string => value.toLocaleString('en-US');
const seconds = (ms: number): string => `${ms / 1000} s`;

const forPolls = [
  'The same, for polls',
  `${number(limits.requestsPerMinute * pollShare)} a minute for each polling trigger`,
  `A poll reads whole lists, one call for each ${limits.pageSize} records. n8n's polling trigger leaves polls out that come too early for that: [how often](../polling.md#how-it-works)`,
];

/** What the service limits, and what that means for automations that are live. */
export function limitsPage(): string {
  const most = listScan.pages * limits.pageSize;
  return page(
    'Limits',
    table(
      ['What', 'Limit', 'What it means for you'],
      [
        [
          'Active webhook subscriptions an account',
          String(limits.subscriptions),
          `Every live Zap with a trigger, every published workflow with a trigger node and every open "listen for test event" takes one. **The ${limits.subscriptions + 1}th is refused**, with a count by host`,
        ],
        [
          'Requests to subscriptions',
          `${limits.subscriptionRequestsPerMinute} a minute`,
          'Listing, creating and deleting count together (G27). Switching many triggers on or off at once takes minutes; n8n waits and goes on, Zapier asks you to try again',
        ],
        [
          'Requests to everything',
          `${number(limits.requestsPerMinute)} a minute`,
          `n8n keeps itself below it and waits where it is reached; a Zap's step waits and is repeated by Zapier`,
        ],
        forPolls,
        [
          'Token exchanges',
          `${limits.tokenExchangesPerMinute} a minute`,
          `Connecting takes one. Whom the limit counts for, and whether a renewal counts, is not documented: if it does, and for a client id, about ${number(limits.tokenExchangesPerMinute * 60)} active connections with tokens of an hour reach it. What could not be renewed for it is told as not carried out, with the time to try again`,
        ],
        [
          'Page size',
          `${limits.pageSize}, ${limits.defaultPageSize} by default`,
          'Lists are read in full pages, page after page, as far as they are wanted',
        ],
      ],
    ),
    `## The ${limits.subscriptions} subscriptions`,
    `They belong to the ${brand.name} account, not to a connection: Zapier, n8n and applications of your own share them. To fit more automations under them:`,
    [
      '- let one n8n trigger listen to several events and branch by `event`: it takes one subscription however many are chosen;',
      '- use the filter by event type, which costs nothing, instead of a second trigger;',
      '- in Zapier, join Zaps of the same trigger with Paths;',
      '- find what nobody uses with *Webhook Subscription: Get Many* in n8n, which shows each address, and remove it with *Delete*.',
    ].join('\n'),
    '## What waits, and how long',
    table(
      ['', 'n8n and custom applications', 'Zapier'],
      [
        [
          'Tries of a read that was not answered, or was answered with a fault (5xx)',
          String(patient.attempts),
          `${hurried.attempts}, the second at once; then the step ends with the error. Where the service says when to come back, Zapier holds the step and repeats it`,
        ],
        [
          'Tries of a request that was refused for its rate',
          String(patient.attempts),
          `Zapier holds the step and repeats it; ${hurried.attempts} tries where the wait is shorter than ${seconds(hurried.totalWaitMs)}`,
        ],
        [
          'The most that one request waits because the service refused it, and the most that a run waits while it refuses all',
          `${seconds(patient.totalWaitMs)}; ${seconds(attended.totalWaitMs)} for a list in a panel`,
          `${seconds(hurried.totalWaitMs)}: a step ends after 30 seconds`,
        ],
        [
          'A token that cannot be renewed',
          `told after ${seconds(renewal.deadlineMs)} at most, and remembered for ${seconds(renewal.rememberedMs)}`,
          'by Zapier, which renews it; told after 20 s at most',
        ],
        [
          'After a create whose answer was lost: looks for the booking after',
          patient.readBackMs.map(seconds).join(', '),
          hurried.readBackMs.map(seconds).join(', '),
        ],
        [
          `Creates again when it is surely not there (later than ${latestCommit.seconds} s, G29)`,
          `${mostResent} times at most`,
          `${mostResent} times at most, each in a later run of the step, which waits for it`,
        ],
      ],
    ),
    '## Bounds of this project',
    table(
      ['What', 'Bound', 'Because'],
      [
        [
          'Bookings or contacts that a search looks through',
          number(most),
          `${assumptions.listScan.gap.toLowerCase()}: ${assumptions.listScan.assumed} (G31). Narrow it by e-mail where there are more`,
        ],
        ['Test data of a Zapier trigger', '3 records of the first 100', 'it is there to map fields with'],
        [
          'Deliveries remembered, to drop a repeated one',
          `the last ${number(rememberedDeliveries)} of all triggers in each n8n process, which forgets them when it ends; a day in Zapier`,
          'a best effort: for exactness keep `delivery_key`, as the [de-duplication template](../templates/README.md) does',
        ],
        ['An id', '512 characters', 'an address must not grow without bound'],
      ],
    ),
  );
}
