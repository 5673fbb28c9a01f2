import type { OutputKind } from '../../shared/records/index.ts';
import type { Operation } from '../../shared/operations/index.ts';

/** `eventType` becomes `event_type`. */
const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A list has the name that tools usually give it. */
const verbs: Readonly<Partial<Record<string, string>>> = { getMany: 'list', getBusy: 'get' };

/** The name of a tool, such as `create_booking` or `list_event_types`. Clients save it, so it does not change once it is published. */
export const toolName = ({ name, output, yields }: Pick<Operation, 'name' | 'output' | 'yields'>): string =>
  `${verbs[name] ?? snake(name)}_${snake(output)}${yields === 'many' ? 's' : ''}`;

/** The name of an argument with the id of such a record. */
export const idArgument = (kind: OutputKind): string => `${snake(kind)}_id`;
