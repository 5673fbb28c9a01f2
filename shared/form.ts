import * as z from 'zod/v4';
import type { FieldText, Form } from './define.ts';

/** One field of a form, as both platforms draw it. */
export interface FormField extends FieldText {
  /** The documented name, which is also its name in the request. */
  key: string;
  required: boolean;
}

/** The fields of an operation's input, in the order of their declaration. */
export const formFields = (form: Form): FormField[] =>
  Object.entries(form).map(([key, { schema, ...text }]) => ({ ...text, key, required: !(schema instanceof z.ZodOptional) }));
