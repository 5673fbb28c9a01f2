import { credentialType } from '../../n8n/adapter/identity.ts';
import { pollShare } from '../../shared/changes/pace.ts';
import { limits } from '../../shared/limits.ts';
import { brand } from '../../shared/brand.ts';
import type { RecordKind } from '../../shared/api/records.ts';
import { resources } from '../../shared/api/resources.ts';
import { operationLabel } from '../../shared/define.ts';
import { eventRows } from '../../shared/events.ts';
import { formFields } from '../../shared/form.ts';
import { operations } from '../../shared/operations/index.ts';
import { scopes } from '../../shared/scopes.ts';
import { pollingTriggerName } from '../../shared/webhooks/reach.ts';

const name = `n8n-nodes-${brand.slug}`;

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

/** The README of the n8n package, from the core's declarations: what it says of operations, events and permissions is what the nodes do. */
export const n8nReadme = (): string => `# ${name}

Bookings, event types, contacts and webhook events of ${brand.name} in n8n: an action node for the whole API, usable as a tool by AI agents, a trigger that verifies every delivery, and a polling trigger that misses nothing.

**Before you begin:** access by other applications needs the Pro plan of ${brand.name} or higher. The package works with n8n 1.110 and newer, on your own machine as well as in the cloud.

[Install](#install) · [Connect](#connect) · [Operations](#operations) · [Trigger](#trigger) · [Polling trigger](#polling-trigger) · [Limits](#limits) · [Examples](#examples) · [When something does not work](#when-something-does-not-work) · [What is kept where](#what-is-kept-where)

## Install

In n8n open **Settings > Community nodes > Install** and enter \`${name}\`. Then add **${brand.name}**, **${brand.name} Trigger** or **${brand.name} Polling Trigger** to a workflow.

## Connect

1. Ask the maker of ${brand.name} for a client id and a client secret ([developer pages](${brand.docsUrl})). Give them your n8n's redirect address, exactly as the credential's dialog shows it; it looks like
   \`https://<your n8n>/rest/oauth2-credential/callback\`.
2. In n8n create a credential **${brand.name} OAuth2 API** (type \`${credentialType}\`), enter both, and choose **Connect**. PKCE is used.
3. ${brand.name} asks you to agree to these permissions:

${table(
  ['Permission', 'What it allows'],
  Object.entries(scopes).map(([scope, { words }]) => [`\`${scope}\``, words]),
)}

The **Base Address** stays as it is, unless you connect to a test system. It must begin with \`https://\`; plain \`http://\` is taken for this machine only.

## Operations

Fields in bold are required; the others are under *Additional Fields* or *Filters*.

${table(['Operation', 'What it does', 'Fields', 'Permission'], operationRows())}

- **Event types, bookings and contacts** are chosen from a searchable list, or given by id, which is what expressions and agents use.
- **Times** may come with an offset, without one, or as a date from an expression. One without an offset is read in the time zone of the form, else in that of the workflow. A time that a clock change skips is refused; one that it repeats means the first.
- **Answers** to an event type's own questions are fields of their own once the event type is chosen; a question that takes several choices has a switch for each. Answers left from an event type chosen before are not sent. Where an expression chooses the event type, switch to JSON.
- **Many items** run several at a time, under the service's limit of ${limits.requestsPerMinute} requests a minute, and come out in order. With *On Error: Continue* a failed item gives its sentence and the others go on. *Retry On Fail* never books twice what went through.
- **A lost answer** to a create is not followed by a blind second one: the node looks for the booking first, for half a minute, and says so when it cannot tell.
- **Simplify** leaves out the fields that most people do not use; switch it off for all of them.

### As a tool for agents

The node can be connected to an agent. Give ids as plain text, answers as JSON, times with an offset. Operations that cannot be undone say so in their description, and cancelling needs the booking's id: there is no "cancel my next meeting". The API has no look-up of free times; a taken one is refused with a sentence.

## Trigger

One node starts the workflow on any of these events, for all event types or for the chosen ones. What was not chosen is answered and spends no execution.

${table(
  ['Event', 'When'],
  eventRows.map(({ label, description }) => [label, description.replace(/^Triggers when /, '')]),
)}

- The item is the record as *Get* gives it, plus \`event\`, \`delivery_id\`, \`delivered_at\`, \`delivery_key\` and \`change_key\`.
- **Every delivery is verified** over its raw body with the signing secret of the subscription. A forged, unsigned or changed one gets 401 and starts nothing; the answer's body and one line in n8n's log name the check that failed. There is no switch to turn this off.
- Publishing subscribes, unpublishing ends the subscription. If it was changed or deleted at the service meanwhile, publish again: n8n looks after it only then.
- A repeated delivery starts one execution. That memory is kept in one process; where it has to be exact, claim \`delivery_key\`, which is made of what was signed, in a table with a unique key, as the example *Each delivery once* does. (*Remove Duplicates* is less: of two executions at the same moment both may pass, or one fail.)
- **Maximum Age** (off) refuses deliveries with an old timestamp. The timestamp is not signed and late retries are real, so it can lose events and does not stop forgeries.

## Polling trigger

**${brand.name} Polling Trigger** needs no address that the service can reach: it reads the account's lists, compares them with what it knew, and gives the same events with the same records. It finds what happened while n8n was down, however long, as far as the lists still show it.

- **The first poll takes stock** and gives nothing; *Start With Upcoming Bookings* gives every upcoming confirmed booking as *Booking Created*. n8n polls when it publishes the workflow, when it starts, and at *Poll Times*. Publishing waits 20 seconds for it at most: of longer lists the next of *Poll Times* takes stock.
- **Each poll reads whole lists**, one call for each ${limits.pageSize} records: the service has no filter by date. Polls that would use more than ${Math.round(limits.requestsPerMinute * pollShare)} calls a minute are left out, so 10,000 bookings are read every minute at most, 100,000 every ten.
- **A difference is all it sees.** Two changes between two polls are one, the later one. *Booking Denied* and *Booking Cancelled* are told apart by whether the booking was seen confirmed; of one that was never seen, by whether its event type needs approval. An invitee who takes back a request that waits looks like a denial.
- A poll that fails gives nothing and forgets nothing. A record that one reading lacks is no change.
- What it knows are hashes in the workflow's static data, 13 letters for a booking and 17 for a contact. n8n stores a copy with each saved execution: give a large account's polling trigger a workflow of its own, which calls another.
- **Both triggers in one workflow:** their items carry the same \`change_key\` for the same change. The example *Each change once* handles each once. They cannot agree where a record changed several times between two polls, or where a poll takes a request that was taken back for denied.

## Limits

- An account may have **${limits.subscriptions} webhook subscriptions**. Every published trigger takes one, and so does every test listening while it lasts; other tools of the account count too. At the limit, publishing fails with a sentence that counts them by host and names the oldest: delete one under *Webhook Subscription > Delete*.
- ${limits.requestsPerMinute} requests a minute, ${limits.subscriptionRequestsPerMinute} of them to subscriptions. The node waits as long as the service asks.
- n8n must be reachable for the service: a trigger on a machine that is not gets no deliveries. The polling trigger needs nothing of this.

## Examples

- [\`examples/create-booking.json\`](examples/create-booking.json) books the first event type that needs no approval and asks nothing.
- [\`examples/on-events.json\`](examples/on-events.json) starts on every event, and tells bookings from contacts.
- [\`examples/each-change-once.json\`](examples/each-change-once.json) starts from deliveries and from polls, and handles each change once, by a table in PostgreSQL.
- [\`examples/each-delivery-once.json\`](examples/each-delivery-once.json) handles each delivery once, exactly, by a table in PostgreSQL.

Copy the text of one into an empty workflow, choose your credential, and run it.

## When something does not work

| What you see | What to do |
| --- | --- |
| "has expired or was revoked", "needs to be reconnected" | Open the credential and connect again. |
| "lacks the permission …" | Connect again and accept all permissions. |
| "The plan of this ${brand.name} account does not include …" | Upgrade the account to the Pro plan or higher. |
| "already has ${limits.subscriptions} webhook subscriptions" | Unpublish a workflow, switch off what is not needed elsewhere, or delete a subscription. |
| "cannot deliver to http://localhost:5678" | The service does not reach this n8n. Set \`WEBHOOK_URL\` to a public address of it, or use ${pollingTriggerName}. |
| The trigger does not start after the service lost the subscription | Unpublish and publish the workflow: n8n checks subscriptions only then, not when it restarts. |
| The trigger never starts, and the service lists no delivery or gave up | n8n has no address that the service can reach: set \`WEBHOOK_URL\`, or use the polling trigger. |
| The polling trigger gives nothing | Its first poll takes stock. What was changed and changed back is no change. A poll that failed is a failed execution. |
| 401 with "signature" in the list of deliveries at the service | Something changes the body on its way, such as a proxy, or the subscription is not this workflow's. Unpublish and publish again. |
| 401 with "signature-missing" that names another header | The package was built for another header prefix: \`headerPrefix\` in \`brand.json\`. |
| 404 in the list of deliveries at the service | The workflow is not published, or n8n's public address (\`WEBHOOK_URL\`) has changed since. |
| "may or may not exist" after a create | The service did not confirm it. Look for the booking by the e-mail named there before you create it again. |

## What is kept where

The package keeps nothing of its own. n8n stores the tokens with the credential, encrypted, and a trigger's subscription id and signing secret, and what a polling trigger knows, with the workflow. Records pass through to your workflow; no content is logged.

## Versions

Proven with all of n8n 2.41.1, and with the execution core of 1.110.1, 2.8.4 and 2.41.1. On n8n before 2.30 many parallel requests with an expired token would each refresh it; this package lets one do it for all.
`;
