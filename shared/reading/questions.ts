// G6: the questions of an event type. Seen: `custom_questions` and `answer_choices` (Calendly), other names of types (form builders).

import type { Choice, Control } from '../field.ts';
import type { EventTypeRecord } from '../records/fields.ts';
import { asText, isNo, isObject, isYes } from '../values.ts';

/** One question of an event type, as forms show it (G6). */
export interface Question {
  /** The answer's key in `question_responses`. */
  key: string;
  label: string;
  control: Control;
  required: boolean;
  /** For `choice` and `choices`; else usually empty. */
  choices: Choice[];
  /** Set if the question's type is unknown (G6): it is shown as text, and any answer is sent unchanged. */
  isFree?: true;
}

/**
 * The service's question types, and the kind of form field for each. A new type also needs an answer in `sandbox/records.ts`,
 * `sandbox/schemas.ts` and `sandbox/seed.ts`; a new kind of field is a new `Control`.
 */
export const questionTypes = {
  text: 'text',
  textarea: 'multiline',
  number: 'number',
  boolean: 'boolean',
  select: 'choice',
  multiselect: 'choices',
  phone: 'phone',
  email: 'email',
  date: 'date',
} as const;

const keyNames = ['key', 'id', 'slug', 'name', 'label', 'question', 'title', 'text'];
const labelNames = ['label', 'question', 'title', 'text', 'name'];
/** Other services' names of these types, reduced to letters. The service rejects answers that do not fit. */
const otherTypes = [
  ['number', /^(?:int|integer|numeric|decimal|float)$/],
  ['boolean', /^(?:bool|yesno|toggle|switch|(?:boolean)?checkbox)$/],
  ['choice', /^(?:single(?:select|choice)|radio(?:buttons?|group)?|dropdown|picklist)$/],
  ['choices', /^(?:multipleselect|multichoice|checkbox(?:es|list|group))$/],
  ['phone', /^(?:phonenumber|tel|telephone)$/],
  ['multiline', /^(?:multiline|longtext|paragraph)$/],
] as const;
const optionNames = ['options', 'choices', 'answer_choices', 'values'];
/** Flags of a question that the host has turned off. */
const offNames = ['hidden', 'disabled', 'archived', 'deleted'];
const onNames = ['enabled', 'active', 'visible'];

/** The questions in an event type's record, in order. An entry without a key is not a question. */
export function readQuestions({ questions }: Partial<EventTypeRecord>): Question[] {
  return (Array.isArray(questions) ? questions : []).flatMap((question: unknown) => {
    if (!isObject(question) || isOff(question)) return [];
    const textAt = (keys: readonly string[]) => keys.map((name) => asText(question[name])).find((value) => value !== '');
    const key = textAt(keyNames);
    if (key === undefined) return [];
    const { type, required } = question;
    const choices = (optionNames.map((each) => question[each]).find(Array.isArray) ?? []).flatMap(readChoice);
    const name = asText(type)
      .toLowerCase()
      .replace(/[^a-z]+/g, '');
    const isKnown = Object.hasOwn(questionTypes, name);
    const control = isKnown ? questionTypes[name as keyof typeof questionTypes] : controlOf(name, choices.length > 0);
    const isBare = (control === 'choice' || control === 'choices') && choices.length === 0;
    return [
      {
        key,
        label: textAt(labelNames) ?? key,
        control: isBare ? 'text' : control,
        required: isYes(required),
        choices,
        ...((!isKnown || isBare) && { isFree: true }),
      },
    ];
  });
}

const isOff = (question: Readonly<Record<string, unknown>>): boolean =>
  offNames.some((key) => isYes(question[key])) || onNames.some((key) => isNo(question[key]));

/** The kind of field for another service's type. A checkbox with options means several choices. */
function controlOf(type: string, hasOptions: boolean): Control {
  const control = otherTypes.find(([, names]) => names.test(type))?.[0] ?? 'text';
  return control === 'boolean' && hasOptions ? 'choices' : control;
}

function readChoice(option: unknown): Choice[] {
  if (typeof option === 'string' || typeof option === 'number') return [{ value: String(option), label: String(option) }];
  if (!isObject(option)) return [];
  const texts = (...names: string[]): string[] =>
    names.flatMap((name) => (typeof option[name] === 'string' || typeof option[name] === 'number' ? String(option[name]) : []));
  const [value] = texts('value', 'id', 'key', 'label', 'name');
  const [label = value] = texts('label', 'name');
  return value === undefined || label === undefined ? [] : [{ value, label }];
}
