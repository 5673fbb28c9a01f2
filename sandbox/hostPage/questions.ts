import type { EventType, Question } from '../records.ts';
import { choicesOf, textOf, type Field } from './fields.ts';

/** A field for each question of an event type, by its kind. */
export function questionFields(type: EventType, asked: Question[]): Field[] {
  return asked.map((question, index) => {
    const { label, required } = question;
    const about = { name: nameOf(question), label, required, subject: 'The answer' };
    // Options may have values that differ from what people read (G6).
    const choices = question.options.map((value, at) => ({ value, label: type.questions[index]?.options[at] ?? value }));
    const none = { value: '', label: required ? 'Choose an option' : 'No answer' };
    switch (question.type) {
      case 'select':
        return { ...about, kind: 'select', choices: [none, ...choices] };
      case 'multiselect':
        return { ...about, kind: 'checkboxes', choices };
      case 'boolean':
        return { ...about, kind: 'select', choices: [none, ...choicesOf(['Yes', 'No'])] };
      case 'textarea':
        return { ...about, kind: 'textarea', maxlength: 5000 };
      case 'phone':
        return { ...about, kind: 'tel', autocomplete: 'tel' };
      default:
        return { ...about, kind: question.type };
    }
  });
}

/** The answers in a form, each converted to its question's type. A value that does not fit is left for the service to refuse. */
export function answersIn(asked: Question[], values: URLSearchParams): Record<string, unknown> {
  return Object.fromEntries(asked.map((question) => [question.key, answerIn(question, values)]));
}

function answerIn(question: Question, values: URLSearchParams): unknown {
  const text = textOf(values, nameOf(question));
  switch (question.type) {
    case 'multiselect':
      return values.getAll(nameOf(question));
    case 'number':
      return text === '' || Number.isNaN(Number(text)) ? text : Number(text);
    case 'boolean':
      return { Yes: true, No: false }[text] ?? text;
    default:
      return text;
  }
}

function nameOf({ key }: Question): string {
  return `question_responses.${key}`;
}
