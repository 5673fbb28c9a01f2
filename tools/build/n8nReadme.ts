import { credentialType } from '../../n8n/adapter/identity.ts';
import { pollShare } from '../../shared/polling/pace.ts';
import { limits } from '../../shared/limits.ts';
import { brand } from '../../shared/brand.ts';
import type { RecordKind } from '../../shared/records/records.ts';
import { resources } from '../../shared/records/resources.ts';
import { operationLabel } from '../../shared/operations/define.ts';
import { eventRows } from '../../shared/events.ts';
import { formFields } from '../../shared/operations/form.ts';
import { operations } from '../../shared/operations/index.ts';
import { scopes } from '../../shared/oauth/scopes.ts';
import { inMarkdown } from './brand/replace.ts';

const name = `n8n-nodes-${brand.slug}`;
const product = inMarkdown(brand.name);

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const operationRows = () =>
  (Object.keys(resources) as RecordKind[]).flatMap((resource) =>
    operations
      .filter((operation) => operation.resource === resource)
      .map((operation) => [
        operationLabel(operation),
        operation.description,
        formFields(operation.input)
          .map(({ label, required }) => (required ? `**${label}**` : label))
          .join(', ') || '–',
        operation.scope === 'any' ? 'any' : `\`${operation.scope}\``,
      ]),
  );

/** The README of the n8n package. Its tables of operations, events and permissions come from the core's declarations. */
export const n8nReadme = (): string => `# ${name}

Use ${product} in n8n: bookings, event types, contacts and webhook events. The package has an action node for the whole API that also works as a tool for AI agents, a trigger that verifies every delivery, and a polling trigger that needs no public address.

**Before you begin:** you need the Pro plan of ${product} or higher, and n8n 1.110 or newer, self-hosted or in the cloud.

[Install](#install) · [Connect](#connect) · [Operations](#operations) · [Trigger](#trigger) · [Polling trigger](#polling-trigger) · [Limits](#limits) · [Examples](#examples) · [When something does not work](#when-something-does-not-work) · [What is kept where](#what-is-kept-where)

## Install

In n8n open **Settings > Community nodes > Install** and enter \`${name}\`. Then add **${product}**, **${product} Trigger** or **${product} Polling Trigger** to a workflow.

## Connect

1. Ask the maker of ${product} for a client id and a client secret ([developer pages](${brand.docsUrl})). Give them your n8n's redirect address, exactly as the credential's dialog shows it. It looks like
   \`https://<your n8n>/rest/oauth2-credential/callback\`.
2. In n8n, create a credential **${product} OAuth2 API** (type \`${credentialType}\`), enter the id and secret, and choose **Connect**. PKCE is used.
3. Allow these permissions:

${table(
  ['Permission', 'What it allows'],
  Object.entries(scopes).map(([scope, { words }]) => [`\`${scope}\``, words]),
)}

Keep the **Base Address**, unless you connect to a test system. It must begin with \`https://\`; plain \`http://\` is allowed for this machine only.

## Operations

Fields in bold are required; the others are under *Additional Fields* or *Filters*.

${table(['Operation', 'What it does', 'Fields', 'Permission'], operationRows())}

- **Event types, bookings and contacts**: choose from a searchable list, or enter an id, as expressions and agents do.
- **Times** are text, with or without a UTC offset, or a date from an expression. Without an offset, they are read in the form's time zone, or else in the workflow's. A time that a clock change skips is refused; for one that occurs twice, the first is used.
- **Answers**: when you choose an event type, its questions appear as fields; a question that takes several choices has a switch for each. Answers to another event type's questions are not sent. If an expression chooses the event type, switch to JSON.
- **Many items** run in parallel within the service's limit of ${limits.requestsPerMinute} requests a minute, and keep their order. With *On Error: Continue*, failed items contain their error, and the others continue. *Retry On Fail* never repeats an item that succeeded.
- **Lost answers**: if the answer to a create is lost, the node looks for the booking for up to half a minute before it sends anything again. If it cannot tell, it says so.
- **Simplify** leaves out rarely used fields. Turn it off to get all of them.

### As a tool for agents

Connect the node to an agent's *Tool* input. Pass ids as plain text, answers as JSON, and times with an offset. If an operation is permanent, its description says so. To cancel, the agent needs the booking's id. The API cannot list free times; a time that is taken is refused with a clear message.

## Trigger

This node starts the workflow on any of these events, for all event types or for those you choose. Other events are answered but start no execution.

${table(
  ['Event', 'When'],
  eventRows.map(({ label, description }) => [label, description.replace(/^Triggers when /, '')]),
)}

- The item has the same fields as *Get* returns, plus \`event\`, \`delivery_id\`, \`delivered_at\`, \`delivery_key\` and \`change_key\`.
- **Every delivery is verified** with the subscription's signing secret over its raw body. A forged, unsigned or changed delivery gets 401 and starts nothing. The response and one line in n8n's log name the check that failed. You cannot turn this off.
- Publishing creates the subscription, unpublishing deletes it. If it was changed or deleted at the service, publish again: n8n only checks it then.
- Within one n8n process, a repeated delivery starts only one execution. To handle each delivery exactly once across processes, save \`delivery_key\` in a table with a unique key, as the example *Each delivery once* does. n8n's *Remove Duplicates* is weaker: two simultaneous executions may both pass, or one may fail.
- **Maximum Age** (off by default) refuses deliveries with an old timestamp. It can lose late retries and does not stop forgeries, because the timestamp is not signed.

## Polling trigger

**${product} Polling Trigger** needs no public address. It reads the account's lists, compares them with the previous reading, and gives the same events with the same records. It also finds what happened while n8n was down, as far as the lists still show it.

- **The first poll only records the current state.** With *Start With Upcoming Bookings*, it gives every upcoming confirmed booking as *Booking Created*. n8n polls when it publishes the workflow, when n8n starts, and at *Poll Times*. Publishing waits at most 20 seconds for the first poll; for longer lists, the next one records the state.
- **Each poll reads whole lists**, one call for each ${limits.pageSize} records and a few more, because the service has no date filter. Polls that would use more than ${Math.round(limits.requestsPerMinute * pollShare)} calls a minute are skipped: 10,000 bookings are read at most every minute, 100,000 every ten.
- **It only sees differences.** Two changes between two polls count as one. A cancelled booking counts as denied if it was seen pending, or if it was never seen and its event type needs approval. So a request that the invitee withdraws looks denied.
- A failed poll loses nothing: the next one finds the same changes. A record that is missing once is not a change.
- The state is a set of hashes in the workflow's static data: 19 characters for each record. n8n stores a copy with each saved execution. For a large account, put the polling trigger in a workflow of its own that calls another.
- **Both triggers in one workflow:** both give the same \`change_key\` for the same change. The example *Each change once* handles each change once. The keys may differ if a record changes several times between two polls, or if a withdrawn request looks denied.

## Limits

- An account can have **${limits.subscriptions} webhook subscriptions**. Each published trigger and each trigger that is listening for a test event uses one, and so do other tools. At the limit, publishing fails with a message that counts them by host and names the oldest. Delete one with *Webhook Subscription > Delete*.
- The service allows ${limits.requestsPerMinute} requests a minute, ${limits.subscriptionRequestsPerMinute} of them to subscriptions. The node waits as long as the service asks.
- The trigger needs an n8n that the service can reach. The polling trigger does not.

## Examples

- [\`examples/create-booking.json\`](examples/create-booking.json) books the first event type that needs no approval and has no questions.
- [\`examples/on-events.json\`](examples/on-events.json) starts on every event and separates bookings from contacts.
- [\`examples/each-change-once.json\`](examples/each-change-once.json) uses both triggers and handles each change once, with a PostgreSQL table.
- [\`examples/each-delivery-once.json\`](examples/each-delivery-once.json) handles each delivery exactly once, with a PostgreSQL table.

Copy the text of an example, paste it into an empty workflow, choose your credential, and run it.

## When something does not work

| What you see | What to do |
| --- | --- |
| "has expired or was revoked", "needs to be reconnected" | Open the credential and connect again. |
| "lacks the permission …" | Connect again and accept all permissions. |
| "The plan of this ${product} account does not include …" | Upgrade the account to the Pro plan or higher. |
| "already has ${limits.subscriptions} webhook subscriptions" | Unpublish a workflow, turn off Zaps you do not need, or delete a subscription. |
| "cannot deliver to http://localhost:5678" | The service cannot reach this n8n. Set \`WEBHOOK_URL\` to its public address, or use ${product} Polling Trigger. |
| The trigger does not start after the service lost its subscription | Unpublish and publish the workflow. n8n checks subscriptions only then, not when it restarts. |
| The trigger never starts, and the service lists no or failed deliveries | The service cannot reach n8n. Set \`WEBHOOK_URL\` to a public address, or use the polling trigger. |
| The polling trigger gives nothing | Its first poll only records the current state. Changes that were reverted are not seen. A failed poll shows as a failed execution. |
| 401 with "signature" in the list of deliveries at the service | Something such as a proxy changes the body, or the subscription belongs to another workflow. Unpublish and publish again. |
| 401 with "signature-missing" that names another header | The package was built for another header prefix: \`headerPrefix\` in \`brand.json\`. |
| 404 in the list of deliveries at the service | The workflow is not published, or n8n's public address (\`WEBHOOK_URL\`) has changed. |
| "may or may not exist" after a create | The service did not confirm the booking. Look for it by the email in the message before you create it again. |

## What is kept where

The package stores nothing itself. n8n stores the tokens in the encrypted credential. It stores a trigger's subscription id and signing secret, and a polling trigger's state, with the workflow. Records pass through to your workflow and are not logged.

## Versions

This package is tested with n8n 2.41.1, and with the execution cores of 1.110.1, 2.8.4 and 2.41.1. Before n8n 2.30, each of many parallel requests refreshes an expired token for itself. With this package, one refresh serves them all.
`;
