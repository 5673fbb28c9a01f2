import type { RecordKind } from '../../shared/records/records.ts';
import { operationLabel } from '../../shared/operations/define.ts';
import { eventRows } from '../../shared/events.ts';
import { operations, searches } from '../../shared/operations/index.ts';
import { scopes } from '../../shared/oauth/scopes.ts';
import { code, page, table } from './markdown.ts';

/** The operations that change something of a kind, in a sentence. */
const writesOf = (kind: RecordKind): string =>
  operations
    .filter(({ resource, effect }) => resource === kind && effect !== 'read')
    .map((each) => `*${operationLabel(each)}*`)
    .join(' or ');

/** Which permission each step needs, and the required plan. */
export function scopesPage(): string {
  const everything = [...operations, ...searches];
  const usedBy = (scope: string): string =>
    everything
      .filter((each) => each.scope === scope)
      .map(operationLabel)
      .join(', ');
  return page(
    'Permissions and plan',
    `**The account needs the Pro plan or higher.** Without it every request is refused, including the connection test: [the error](troubleshooting.md).`,
    'A connection asks for all five permissions. Without one of them, only the steps that need it fail, and the error names it. To grant it, reconnect the account and accept all permissions.',
    table(
      ['Scope', 'Allows to', 'Used by'],
      Object.entries(scopes).map(([scope, { words }]) => [
        code(scope),
        words,
        usedBy(scope) + (scope === 'webhooks:manage' ? `; every trigger` : ''),
      ]),
    ),
    `${operationLabel({ action: 'Get Current', resource: 'user', yields: 'one' })} works with any permission. The connection test uses it.`,
    '## Triggers',
    'A trigger needs permission to subscribe. To show test data in the editor, it also needs permission to read the list of records.',
    table(
      ['Trigger', 'To subscribe', 'To show test data'],
      eventRows.map(({ label, source }) => [label, code('webhooks:manage'), code(source.scope)]),
    ),
    '## Actions and searches',
    table(
      ['Operation', 'Endpoint', 'Scope'],
      everything.map((each) => [operationLabel(each), code(each.endpoint), each.scope === 'any' ? 'any' : code(each.scope)]),
    ),
    `If the answer to ${writesOf('booking')} is lost, the step looks for the booking, which needs ${code('bookings:read')}. Without that permission, it can only say that the booking may or may not exist. Answers to questions are checked before they are sent if the connection has ${code('event_types:read')}; otherwise only the service checks them.`,
  );
}
