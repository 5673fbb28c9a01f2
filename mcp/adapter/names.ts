import type { RecordKind } from '../../shared/records/index.ts';
import type { Operation } from '../../shared/operations/index.ts';

/** `eventType` becomes `event_type`. */
const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A list has the name that tools usually give it. */
const verbs: Readonly<Partial<Record<string, string>>> = { getMany: 'list' };

/** The name of a tool, such as `create_booking` or `list_event_types`. Clients save it, so it does not change once it is published. */
export const toolName = ({ name, resource, yields }: Pick<Operation, 'name' | 'resource' | 'yields'>): string =>
  `${verbs[name] ?? snake(name)}_${snake(resource)}${yields === 'many' ? 's' : ''}`;

/** The name of an argument with the id of such a record. */
export const idArgument = (kind: RecordKind): string => `${snake(kind)}_id`;
