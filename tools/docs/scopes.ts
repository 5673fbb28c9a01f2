import { brand } from '../../shared/brand.ts';
import { operationLabel } from '../../shared/define.ts';
import { eventRows } from '../../shared/events.ts';
import { operations, searches } from '../../shared/operations/index.ts';
import { scopes } from '../../shared/scopes.ts';
import { code, page, table } from './markdown.ts';

/** Which permission everything needs, and the plan. */
export function scopesPage(): string {
  const everything = [...operations, ...searches];
  const usedBy = (scope: string): string =>
    everything
      .filter((each) => each.scope === scope)
      .map(operationLabel)
      .join(', ');
  return page(
    'Permissions and plan',
    `**The account needs the Pro plan or higher.** Without it every request is refused, the one that tests a connection included: [what it looks like](troubleshooting.md).`,
    'A connection asks for all five permissions at once, so that it serves everything that is offered. One that lacks a permission works for the rest: what needs it is refused by name, and reconnecting with all boxes left ticked grants it.',
    table(
      ['Scope', 'Allows to', 'Used by'],
      Object.entries(scopes).map(([scope, { words }]) => [
        code(scope),
        words,
        usedBy(scope) + (scope === 'webhooks:manage' ? `; every trigger, to subscribe and unsubscribe` : ''),
      ]),
    ),
    `${operationLabel({ action: 'Get Current', resource: 'user', yields: 'one' })} works with any of them: it is what ${brand.name} is asked when a connection is tested.`,
    '## Triggers',
    'Deliveries come by the subscription. What a trigger shows while a Zap is built is read from a list, which needs the permission to read it.',
    table(
      ['Trigger', 'To subscribe', 'To show test data'],
      eventRows.map(({ label, source }) => [label, code('webhooks:manage'), code(source.scope)]),
    ),
    '## Actions and searches',
    table(
      ['Operation', 'Endpoint', 'Scope'],
      everything.map((each) => [operationLabel(each), code(each.endpoint), each.scope === 'any' ? 'any' : code(each.scope)]),
    ),
  );
}
