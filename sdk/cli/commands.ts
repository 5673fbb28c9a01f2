import { formFields, type FormField } from '../../shared/operations/form.ts';
import type { Operation } from '../../shared/operations/define.ts';
import { operations, searches } from '../../shared/operations/all.ts';
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
