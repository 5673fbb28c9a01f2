import * as platform from 'zapier-platform-core';
import app from '../../zapier/app.ts';

export type OutputField = platform.PlainOutputField;
export type InputField = platform.PlainInputField;

export interface Action {
  key: string;
  noun: string;
  display: { label: string; description: string };
  operation: {
    performList?: unknown;
    /** A function in this list appears as a text that begins with `$func`. */
    inputFields: (InputField | string)[];
    outputFields: (OutputField | string)[];
    sample: Record<string, unknown>;
  };
}

type Actions = Record<string, Action>;

/** The app as Zapier reads it when it is pushed, with a placeholder for every function. */
export interface Definition {
  triggers: Actions;
  creates: Actions;
  searches: Actions;
  searchOrCreates: Record<string, { display: { label: string }; search: string; create: string }>;
}

type Handler = (event: object) => Promise<{ results?: unknown }>;

// What the archive's own wrapper calls. The platform's types leave it out.
const createAppHandler = Reflect.get(platform, 'createAppHandler') as (app: object) => Handler;
export const handler = createAppHandler(app);

export const definition = async (): Promise<Definition> => (await handler({ command: 'definition' })).results as Definition;

/** Every trigger, action and search. */
export const actionsOf = ({ triggers, creates, searches }: Definition): Action[] =>
  [triggers, creates, searches].flatMap((actions) => Object.values(actions));

/** The fields of an action's form that do not depend on what is filled in. */
export const staticInputs = ({ operation }: Action): InputField[] => operation.inputFields.filter((field) => typeof field !== 'string');
export const staticOutputs = ({ operation }: Action): OutputField[] => operation.outputFields.filter((field) => typeof field !== 'string');

/** A function of the app by its path, such as `creates.create_booking.operation.perform`. */
export const method = (path: string) =>
  path.split('.').reduce<unknown>((value, key) => Reflect.get(Object(value) as object, key), app) as (
    z: platform.ZObject,
    bundle: platform.Bundle,
  ) => unknown;

/** ISO 8601 with an offset or Z, as integration checks D023 and T003 require. */
const withZone = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;

/**
 * Checks that every value has the type that its field promises (integration checks D024, T003, T005, Z001). An empty value fits any type.
 */
export function assertTypes(record: Record<string, unknown>, fields: readonly OutputField[]): void {
  for (const { key, type, list, children } of fields) {
    const value = key
      .split('__')
      .reduce<unknown>((inner, part) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, part) : undefined), record);
    if (value === undefined || value === null) continue;
    if (children !== undefined || list === true) {
      expect([key, Array.isArray(value)]).toEqual([key, true]);
      for (const item of value as Record<string, unknown>[]) assertTypes(item, children ?? []);
    } else if (type === 'datetime') {
      expect([key, value]).toEqual([key, expect.stringMatching(withZone)]);
    } else if (type !== undefined) {
      expect([key, typeof value]).toEqual([key, type]);
    }
  }
}
