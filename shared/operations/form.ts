import * as z from 'zod/v4';
import type { FieldText, Form } from './define.ts';

/** One field of a form, as every platform shows it. */
export interface FormField extends FieldText {
  /** The documented name, which is also the name in the request. */
  key: string;
  required: boolean;
}

/** The fields of an operation's input, in the declared order. */
export const formFields = (form: Form): FormField[] =>
  Object.entries(form).map(([key, { schema, ...text }]) => ({ ...text, key, required: !(schema instanceof z.ZodOptional) }));
