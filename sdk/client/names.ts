import type { Operation } from '../../shared/define.ts';

/** A list is called by the verb that clients have for it everywhere. */
const verbs: Readonly<Partial<Record<string, string>>> = { getMany: 'list', getCurrent: 'current' };

/** Where an operation stands on the client: `eventTypes` and `list`. Published names: they do not change. */
export const placeOf = ({ resource, name }: Pick<Operation, 'resource' | 'name'>): { group: string; method: string } => ({
  group: `${resource}s`,
  method: verbs[name] ?? name,
});

/** As it is written in code: `eventTypes.list`. */
export function methodName(operation: Pick<Operation, 'resource' | 'name'>): string {
  const { group, method } = placeOf(operation);
  return `${group}.${method}`;
}
