import { formFields, type FormField } from '../../shared/form.ts';
import type { Operation } from '../../shared/define.ts';
import { operations, searches } from '../../shared/operations/index.ts';
import { placeOf } from '../client/names.ts';

/** A word as commands write it: `eventTypes` and `event_type_id` become `event-types` and `event-type-id`. */
export const dashed = (word: string): string => word.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll('_', '-');

/** A declared operation as a command. */
export interface Command {
  /** What is typed first, such as `event-types`. */
  group: string;
  /** What is typed next, such as `list`. */
  verb: string;
  operation: Operation;
  fields: readonly FormField[];
}

/** Every declared operation as a command: a new operation of the core becomes one. */
export const commandsOf = (offered: readonly Operation[]): Command[] =>
  offered.map((operation) => {
    const { group, method } = placeOf(operation);
    return { group: dashed(group), verb: dashed(method), operation, fields: formFields(operation.input) };
  });

export const commands = commandsOf([...operations, ...searches]);

/** The name closest to a misspelt one, if one is close. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  const near = names
    .map((name) => ({ name, far: distance(word, name) }))
    .filter(({ name, far }) => far <= Math.max(2, Math.floor(name.length / 4)))
    .sort((a, b) => a.far - b.far);
  return near[0]?.name;
}

/** The number of letters in which two words differ. */
function distance(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [row, letter] of [...one.slice(0, 80)].entries()) {
    const line = [row + 1];
    for (const [column, wanted] of [...other].entries())
      line.push(Math.min((above[column + 1] ?? 0) + 1, (line[column] ?? 0) + 1, (above[column] ?? 0) + (letter === wanted ? 0 : 1)));
    above = line;
  }
  return above.at(-1) ?? 0;
}
