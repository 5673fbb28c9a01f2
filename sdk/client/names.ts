import type { Operation } from '../../shared/operations/define.ts';

/** A list has the name that clients usually give it. */
const verbs: Readonly<Partial<Record<string, string>>> = { getMany: 'list', getCurrent: 'current', getBusy: 'busy' };

/** The place of an operation on the client: `eventTypes` and `list`. These names are published and do not change. */
export const placeOf = ({ resource, name }: Pick<Operation, 'resource' | 'name'>): { group: string; method: string } => ({
  group: `${resource}s`,
  method: verbs[name] ?? name,
});

/** The name as it is written in code: `eventTypes.list`. */
export function methodName(operation: Pick<Operation, 'resource' | 'name'>): string {
  const { group, method } = placeOf(operation);
  return `${group}.${method}`;
}
