import type { Question } from '../reading/index.ts';
import { booking, contact } from '../records/samples.ts';
import type { Control } from './define.ts';

/** An example of an answer, so that people can map it before anyone has answered. */
export function sampleAnswer({ control, choices }: Pick<Question, 'control' | 'choices'>): unknown {
  const [choice] = choices;
  if (choice !== undefined) return control === 'choices' ? [choice.value] : choice.value;
  return answerSamples[control] ?? booking.answers[0]?.answer;
}

const answerSamples: Partial<Record<Control, unknown>> = {
  number: 5,
  boolean: true,
  date: booking.start_time.slice(0, 10),
  email: contact.email,
  phone: contact.phone,
};
