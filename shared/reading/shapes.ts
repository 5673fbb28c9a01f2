import { isObject, onlyOne } from '../values.ts';
import { expand, type FormRow } from './rows.ts';

/** A name as words: `startTime`, `StartTime`, `start-time` and `@start_time` are `start_time`. */
export const wordsOf = (name: string): string =>
  name
    .slice(0, 80)
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');

/** Words of the trade in Spanish, Portuguese, French and German. Seen: Dentalink, Feegow, and public code of agendas. */
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

/** Names in these languages as words of the table, of which the last is what it is: `hora_inicio` is `start_time`. */
function inEnglish(words: string): string {
  const sent = words.split('_');
  const those = sent.map((word, at) => abroad.get(word) ?? (word === 'data' && abroad.has(sent[at + 1] ?? '') ? 'date' : word));
  const isForeign = those.some((word, at) => word !== sent[at]);
  if (!isForeign || those.some((word, at) => word === sent[at] && !/^(?:id|date|email)$/.test(word))) return words;
  return (/^(?:id|name|date|time|state|phone|email)$/.test(those[0] ?? '') && those[1] !== 'time' ? those.reverse() : those).join('_');
}

/** An object as the service sent it. */
export type Raw = Readonly<Record<string, unknown>>;

/** The names of an object, read once: all records of a list share them. It knows nothing of values. */
export interface Shape {
  keys: readonly string[];
  names: readonly (readonly [words: string, key: string])[];
  /** What was worked out for these names. */
  plans: Map<unknown, unknown>;
}

const shapes = new Map<string, Shape>();
/** So many are kept: a service has some twenty. Objects whose names are data, such as answers, must not fill the memory. */
const most = 500;
/** The next record of a list has the names of the one before, and so have the objects in it: the latest of each number of names. */
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

/** What has its times in English has others in fields of a user's own: a `fecha_inicio` beside a `start_time` is of something else. */
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

/** What is worked out for the names of an object, once for all that have the same. */
export function planned<Plan>(shape: Shape, by: unknown, make: (shape: Shape) => Plan): Plan {
  let plan = shape.plans.get(by) as Plan | undefined;
  if (plan === undefined) shape.plans.set(by, (plan = make(shape)));
  return plan;
}

/** Made when it is first needed: whoever loads the package does not wait for it. */
export const later = <Value>(make: () => Value): (() => Value) => {
  let made: Value | undefined;
  return () => (made ??= make());
};

/** Those of the table that were needed so far, by their text. */
export const expressions = new Map<string, RegExp>();

const expressionOf = (at: string): RegExp => {
  let expression = expressions.get(at);
  if (expression === undefined) expressions.set(at, (expression = new RegExp(`^(?:${expand(at)})$`)));
  return expression;
};

/** Whether words fit an expression of the table. */
export const fits = (words: string, at: string): boolean => expressionOf(at).test(words);

/** Whether what a row must stand beside is there, and nothing that it must not. */
export function isBeside({ beside, without = '-' }: FormRow, { names }: Shape): boolean {
  const has = (at: string): boolean => names.some(([words]) => fits(words, at));
  return (beside?.split('&').every(has) ?? true) && !has(without);
}

/** What fits an expression of the table at the beginning of names: `guest` of `guest_email` and of `guests`. */
export const beginningsAt = (names: Shape['names'], at: string): string[] => [
  ...new Set(names.flatMap(([words]) => expressionOf(`(${at})(?:s?(?:_details|_info(?:rmation)?)?|_.*)`).exec(words)?.[1] ?? [])),
];

/** The keys of an object that fit an expression of the table, in the order of the object. */
export const keysAt = (value: object, at: string): readonly string[] =>
  planned(shapeOf(value), at, ({ names }) => names.filter(([words]) => fits(words, at)).map(([, key]) => key));

/** What is inside a value under these names of the table, one after another. A list of one thing counts as that thing. */
export const valueIn = (value: unknown, names: readonly string[]): unknown =>
  names.reduce<unknown>((around, name) => {
    const only = onlyOne(around);
    return isObject(only) ? only[name in only ? name : (keysAt(only, name)[0] ?? '')] : undefined;
  }, value);
