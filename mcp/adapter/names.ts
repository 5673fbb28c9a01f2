import type { RecordKind } from '../../shared/api/records.ts';
import type { Operation } from '../../shared/define.ts';

/** `eventType` becomes `event_type`. */
const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A list is called by the verb that tools have for it everywhere. */
const verbs: Readonly<Partial<Record<string, string>>> = { getMany: 'list' };

/** The name of a tool, such as `create_booking` or `list_event_types`. Clients keep it: once published it does not change. */
export const toolName = ({ name, resource, yields }: Pick<Operation, 'name' | 'resource' | 'yields'>): string =>
  `${verbs[name] ?? snake(name)}_${snake(resource)}${yields === 'many' ? 's' : ''}`;

/** What an id of such a record is called where a form asks for it. */
export const idArgument = (kind: RecordKind): string => `${snake(kind)}_id`;
