import { isObject, onlyOne } from '../values.ts';
import { expand, type FormRow } from './rows.ts';

/** A name in snake case: `startTime`, `StartTime`, `start-time` and `@start_time` become `start_time`. */
export const wordsOf = (name: string): string =>
  name
    .slice(0, 80)
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');

/** Words for the table's in Spanish, Portuguese, French and German. Seen: Dentalink, Feegow, and public code of calendars. */
const abroad = new Map(
  [
    ...['name nombre nome', 'surname apellido apellidos sobrenome', 'first_name prenom vorname', 'last_name nom nachname'],
    ...['phone telefon telefono telefone celular', 'client cliente kunde', 'patient paciente', 'state estado statut'],
    ...['date fecha datum', 'time hora horario heure uhrzeit', 'start inicio debut beginn', 'end fin fim ende'],
    ...['service servicio servico dienstleistung', 'appointment cita turno agendamento reserva rdv termin'],
  ].flatMap((line) => {
    const [word = '', ...those] = line.split(' ');
    return those.flatMap((each) => [[`${each}s`, `${word}s`] as const, [each, word] as const]);
  }),
);

/** Translates a name to the table's words, with the kind of value last: `hora_inicio` becomes `start_time`. */
function inEnglish(words: string): string {
  const sent = words.split('_');
  const those = sent.map((word, at) => abroad.get(word) ?? (word === 'data' && abroad.has(sent[at + 1] ?? '') ? 'date' : word));
  const isForeign = those.some((word, at) => word !== sent[at]);
  if (!isForeign || those.some((word, at) => word === sent[at] && !/^(?:id|date|email)$/.test(word))) return words;
  return (/^(?:id|name|date|time|state|phone|email)$/.test(those[0] ?? '') && those[1] !== 'time' ? those.reverse() : those).join('_');
}

/** An object as the service sent it. */
export type Raw = Readonly<Record<string, unknown>>;

/** The names of an object, without its values. All records of a list share one shape. */
export interface Shape {
  keys: readonly string[];
  names: readonly (readonly [words: string, key: string])[];
  /** Results computed for these names. */
  plans: Map<unknown, unknown>;
}

const shapes = new Map<string, Shape>();
/** How many shapes are kept; a service has about twenty. Objects whose names are data, such as answers, must not fill the memory. */
const most = 500;
/** The latest shape for each number of names: records of one list, and the objects in them, have the same names. */
const latest: (Shape | undefined)[] = [];

export function shapeOf(value: object): Shape {
  const keys = Object.keys(value);
  const before = latest[keys.length];
  if (before !== undefined && isSame(before.keys, keys)) return before;
  const together = keys.join('\n');
  let shape = shapes.get(together);
  if (shape === undefined) {
    if (shapes.size >= most) shapes.clear();
    shape = { keys, names: namesOf(keys), plans: new Map() };
    shapes.set(together, shape);
  }
  if (keys.length < most) latest[keys.length] = shape;
  return shape;
}

/** If times are named in English, other languages name a user's own fields: `fecha_inicio` beside `start_time` is something else. */
function namesOf(keys: readonly string[]): Shape['names'] {
  const sent = keys.map((key) => [wordsOf(key), key] as const);
  const isTimed = sent.some(([words]) => /(?:^|_)(?:start|end)s?(?:_|$)|^date(?:_?time)?$/.test(words));
  return sent.map(([words, key]) => {
    const meant = inEnglish(words);
    return [isTimed && /date|time|start|end/.test(meant) ? words : meant, key];
  });
}

function isSame(known: readonly string[], keys: readonly string[]): boolean {
  for (let at = 0; at < keys.length; at += 1) if (keys[at] !== known[at]) return false;
  return true;
}

/** Computes something for an object's names, once for all objects with the same names. */
export function planned<Plan>(shape: Shape, by: unknown, make: (shape: Shape) => Plan): Plan {
  let plan = shape.plans.get(by) as Plan | undefined;
  if (plan === undefined) shape.plans.set(by, (plan = make(shape)));
  return plan;
}

/** Computes a value when it is first needed, so that loading the package does not wait for it. */
export const later = <Value>(make: () => Value): (() => Value) => {
  let made: Value | undefined;
  return () => (made ??= make());
};

/** The table's expressions that were needed so far, by their text. */
export const expressions = new Map<string, RegExp>();

const expressionOf = (at: string): RegExp => {
  let expression = expressions.get(at);
  if (expression === undefined) expressions.set(at, (expression = new RegExp(`^(?:${expand(at)})$`)));
  return expression;
};

/** Whether a name fits an expression of the table. */
export const fits = (words: string, at: string): boolean => expressionOf(at).test(words);

/** Whether an object has all names that a row requires beside it, and none that it excludes. */
export function isBeside({ beside, without = '-' }: FormRow, { names }: Shape): boolean {
  const has = (at: string): boolean => names.some(([words]) => fits(words, at));
  return (beside?.split('&').every(has) ?? true) && !has(without);
}

/** The beginnings of names that fit an expression of the table: `guest` in `guest_email` and `guests`. */
export const beginningsAt = (names: Shape['names'], at: string): string[] => [
  ...new Set(names.flatMap(([words]) => expressionOf(`(${at})(?:s?(?:_details|_info(?:rmation)?)?|_.*)`).exec(words)?.[1] ?? [])),
];

/** The keys of an object that fit an expression of the table, in the object's order. */
export const keysAt = (value: object, at: string): readonly string[] =>
  planned(shapeOf(value), at, ({ names }) => names.filter(([words]) => fits(words, at)).map(([, key]) => key));

/** The value at a path of the table's names inside a value. A list of one thing counts as that thing. */
export const valueIn = (value: unknown, names: readonly string[]): unknown =>
  names.reduce<unknown>((around, name) => {
    const only = onlyOne(around);
    return isObject(only) ? only[name in only ? name : (keysAt(only, name)[0] ?? '')] : undefined;
  }, value);
