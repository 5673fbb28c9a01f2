import { brand } from '../../shared/brand.ts';
import { inMarkdown } from '../build/brand/replace.ts';
import { page, table } from './markdown.ts';
import { deliveryCases } from './refusedDeliveries.ts';
import { requestCases } from './refusedRequests.ts';

/** One problem: the message that people see, and what is behind it. */
export interface Case {
  /** What happened, in the core's words. Parts that vary are taken from an example. */
  message: string;
  advice?: string;
  why: string;
  remedy: string;
}

/** The messages that people see, each with its reason and remedy. */
export async function troubleshootingPage(): Promise<string> {
  const rows = (cases: readonly Case[]): string[][] =>
    cases.map(({ message, advice = '', why, remedy }) => [
      `**${message}** ${advice}`.trim().replaceAll(brand.name, () => inMarkdown(brand.name)),
      why,
      remedy,
    ]);
  const heads = ['What you read', 'Why', 'What to do'];
  return page(
    'Troubleshooting',
    'Find the message you see. Zapier shows it as one text; n8n shows what happened as the title and the advice below it. Ids, times and numbers are examples.',
    '## Requests',
    table(heads, rows(await requestCases())),
    '## Deliveries',
    `A delivery that cannot be trusted starts nothing. n8n answers with an error status and this message and writes it to its log. Zapier writes it to the Zap's log under the trigger, because an error would let strangers turn off Zaps.`,
    table(heads, rows(deliveryCases())),
    '## Nothing starts, and there is no message',
    table(
      ['What you see', 'Why', 'What to do'],
      [
        [
          'The trigger never fires',
          "The service cannot reach your n8n. Publishing refuses an address that only works on n8n's machine, and n8n's log warns about a private one. A firewall in front of a public address cannot be detected",
          `Open n8n's address (\`WEBHOOK_URL\`) from outside your network, for example on a phone without Wi-Fi. If it does not open, give n8n a public address, use a tunnel while you build, or use the [polling trigger](../guides/polling.md), which needs none. The sandbox delivers to your own machine`,
        ],
        [
          'The trigger stopped, but the workflow is still published',
          'Its subscription was deleted, or the list of subscriptions shows it with `active: false`. n8n only checks it when the workflow is published',
          'Unpublish and publish the workflow. [Watch my triggers](../templates/README.md#watch-my-triggers) does this automatically and notifies you',
        ],
        [
          'Events from while n8n was down are missing',
          'The service stops after some tries',
          'The [polling trigger](../guides/polling.md) finds what the lists still show. You can use both together',
        ],
        [
          'n8n: the polling trigger gives nothing',
          'Its first poll only records the current state. After that it polls at its *Poll Times*, less often for long lists. Changes that were reverted are not seen',
          'Make a change and wait for the next poll. A failed poll shows as a failed execution',
        ],
        [
          'It fires for some bookings only',
          'A filter by event type is set, or the booking needs approval',
          'Check *Event Types* in the trigger (n8n: *Event Type Names or IDs*). A pending booking starts *Booking Approved* and *Booking Created* when the host approves it',
        ],
        [
          'It fires twice',
          'Two events happened: an approval fires *Booking Approved* and *Booking Created* (G22). Or n8n runs in several processes, which do not share what they remember',
          'Listen to only one of the two. Or drop repeats by `delivery_key`: [how](../guides/once.md)',
        ],
        [
          'n8n: *Listen for test event* gets nothing although the published workflow runs',
          'They use separate subscriptions, and both receive deliveries',
          'Make the event happen while it listens. Earlier events are not sent again',
        ],
        [
          `The consent page of ${inMarkdown(brand.name)} says that the redirect address is not registered`,
          "The platform's address differs from the registered one, even if only by a slash or `localhost` instead of `127.0.0.1`",
          'Register the address exactly as the platform shows it: [n8n](../use/n8n.md), [Zapier](../use/zapier.md)',
        ],
        [
          'n8n, after you press *Connect*: *Insufficient parameters for OAuth2 callback*',
          'Access was not allowed on the consent page. n8n does not show the reason',
          'Close the window, press *Connect* again and allow access',
        ],
        [
          'n8n: *Your OAuth2 account needs to be reconnected*',
          'The refresh token expired or was revoked',
          'Open the credential and press *Switch account* (older n8n: *Reconnect*)',
        ],
      ],
    ),
  );
}
