import { brand } from '../../shared/brand.ts';
import { page, table } from './markdown.ts';
import { deliveryCases } from './refusedDeliveries.ts';
import { requestCases } from './refusedRequests.ts';

/** One thing that goes wrong: the sentence that people see, and what stands behind it. */
export interface Case {
  /** What happened, as the core says it; parts that differ from case to case are those of an example. */
  message: string;
  advice?: string;
  why: string;
  remedy: string;
}

/** The sentences that people see, found by what they read. */
export async function troubleshootingPage(): Promise<string> {
  const rows = (cases: readonly Case[]): string[][] =>
    cases.map(({ message, advice = '', why, remedy }) => [`**${message}** ${advice}`.trim(), why, remedy]);
  const heads = ['What you read', 'Why', 'What to do'];
  return page(
    'Troubleshooting',
    'Both platforms show the same sentences: Zapier in one piece, n8n with what happened as the title and the advice below it. Ids, times and numbers are those of an example.',
    '## Requests',
    table(heads, rows(await requestCases())),
    '## Deliveries',
    `A delivery that cannot be trusted starts nothing. n8n answers it with the status and this sentence and writes it to its log; in Zapier it stands in the Zap's log under the trigger, because an error there would let strangers switch Zaps off.`,
    table(heads, rows(deliveryCases())),
    '## Nothing starts, and nothing is said',
    table(
      ['What you see', 'Why', 'What to do'],
      [
        [
          'The trigger never fires',
          "The service cannot reach your n8n. An address that only its own machine knows is refused when you publish; a private one stands in n8n's log; a firewall in front of a public one is seen by nobody here",
          `Open n8n's address (\`WEBHOOK_URL\`) from outside your network: a phone without Wi-Fi will do. Then give n8n a public address, use a tunnel while you build, or use the [polling trigger](../polling.md), which needs none. The sandbox delivers to your own machine`,
        ],
        [
          'The trigger fired until some day, and the workflow is still published',
          'Its subscription was deleted, or paused by the service after days in which n8n did not answer. n8n looks at it only when a workflow is published',
          'Unpublish and publish the workflow. [Watch my triggers](../templates/README.md#watch-my-triggers) does it by itself, and tells somebody',
        ],
        [
          'Events of the time in which n8n was down never came',
          'The service gives a delivery up after some tries',
          'The [polling trigger](../polling.md) finds what the lists still show; both together give each change once',
        ],
        [
          'n8n: the polling trigger gives nothing',
          'Its first poll takes stock. After that it polls when it is published and at its *Poll Times*, for long lists more seldom; and what was changed and changed back is no change',
          'Make something happen, and wait for its next poll. n8n keeps a poll that failed as a failed execution',
        ],
        [
          'It fires for some bookings only',
          'A filter by event type is set, or the booking waits for approval',
          'Look at *Event Types* in the trigger (n8n: *Event Type Names or IDs*). A request that waits starts *Booking Approved* and *Booking Created* once the host has approved it',
        ],
        [
          'It fires twice',
          'Two events were meant: an approval fires *Booking Approved* and *Booking Created* (G22). Or n8n runs in several processes, each with a memory of its own',
          'Listen to one of the two. For exactness drop what `delivery_key` says came before: [template](../templates/README.md)',
        ],
        [
          'n8n: *Listen for test event* gets nothing although the published workflow runs',
          'Each has a subscription of its own; both are delivered to',
          'Make the event happen while it listens: what came before is not sent again',
        ],
        [
          `The consent page of ${brand.name} says that the redirect address is not registered`,
          'The address that the platform sends differs from the registered one, if only by a slash or `localhost` instead of `127.0.0.1`',
          'Register exactly the address that the platform shows: [n8n](../quickstart-n8n.md), [Zapier](../quickstart-zapier.md)',
        ],
        [
          'n8n: *Your OAuth2 account needs to be reconnected*',
          'The refresh token was used up or revoked',
          'Open the credential and press *Switch account* (older n8n: *Reconnect*)',
        ],
      ],
    ),
  );
}
