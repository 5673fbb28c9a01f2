import { expand } from './rows.ts';

/** A name as words: `startTime`, `StartTime`, `start-time` and `@start_time` are `start_time`. */
export const wordsOf = (name: string): string =>
  name
    .slice(0, 80)
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');

/** The names of an object, read once: all records of a list share them. */
export interface Shape {
  names: readonly (readonly [words: string, key: string])[];
  /** The keys that fit an expression, as far as somebody asked. */
  keys: Map<string, readonly string[]>;
  /** What a reader has found out about it. */
  plans: Map<unknown, unknown>;
}

const shapes = new Map<string, Shape>();
/** So many are kept: a service has some twenty. Objects whose names are data, such as answers, must not fill the memory. */
const most = 500;

/** Of the objects that are being read. */
const read = new WeakMap<object, Shape>();

export function shapeOf(value: object): Shape {
  const seen = read.get(value);
  if (seen !== undefined) return seen;
  const shape = shapeOfKeys(Object.keys(value));
  read.set(value, shape);
  return shape;
}

function shapeOfKeys(keys: readonly string[]): Shape {
  const together = keys.join('\n');
  const known = shapes.get(together);
  if (known !== undefined) return known;
  const shape: Shape = { names: keys.map((key) => [wordsOf(key), key] as const), keys: new Map(), plans: new Map() };
  if (shapes.size >= most) shapes.clear();
  shapes.set(together, shape);
  return shape;
}

const expressions = new Map<string, RegExp>();

/** Whether words fit an expression of the table. */
export function fits(words: string, at: string): boolean {
  let expression = expressions.get(at);
  if (expression === undefined) expressions.set(at, (expression = new RegExp(`^(?:${expand(at)})$`)));
  return expression.test(words);
}

/** The keys of an object that fit an expression of the table, in the order of the object. */
export function keysAt(value: object, at: string): readonly string[] {
  const shape = shapeOf(value);
  let keys = shape.keys.get(at);
  if (keys === undefined) shape.keys.set(at, (keys = shape.names.filter(([words]) => fits(words, at)).map(([, key]) => key)));
  return keys;
}

/** What an object has worked out for its names, once for all that have the same. */
export function planned<Plan>(value: object, by: unknown, make: (shape: Shape) => Plan): Plan {
  const shape = shapeOf(value);
  let plan = shape.plans.get(by) as Plan | undefined;
  if (plan === undefined) shape.plans.set(by, (plan = make(shape)));
  return plan;
}
