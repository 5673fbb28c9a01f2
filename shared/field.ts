import type * as z from 'zod/v4';

/** The kind of a field. Each platform has its own input control for it. */
export type Control =
  | 'text'
  | 'multiline'
  | 'email'
  | 'phone'
  | 'url'
  | 'number'
  | 'boolean'
  | 'date'
  | 'dateTime'
  | 'choice'
  | 'choices'
  | 'timeZone'
  | 'answers'
  | 'events';

export type LookupName = 'eventTypes' | 'bookings' | 'contacts' | 'timeZones';

export interface Choice {
  value: string;
  label: string;
}

/** A field's texts. `help` is plain text without a full stop. */
export interface FieldText {
  label: string;
  help: string;
  control: Control;
  /** The heading above the field, on platforms whose forms have headings. */
  group?: string;
  example?: string;
  /** For a time: a date alone is also accepted. It means the beginning of that day, in the host's zone if the platform has none. */
  mayBeDay?: true;
  /** For a time: the key of another time field that must be earlier. */
  laterThan?: string;
  choices?: readonly Choice[];
  /** The list to choose from. The value may also be typed. */
  lookup?: LookupName;
}

/** One field of a form: its texts, and a schema of what it accepts. */
export interface Field<Schema extends z.ZodType = z.ZodType> extends FieldText {
  schema: Schema;
}

export const field = <Schema extends z.ZodType>(schema: Schema, text: FieldText): Field<Schema> => ({ ...text, schema });

/** A form: its fields under their documented names, in order. */
export type Form = Readonly<Record<string, Field>>;

/** The message for an empty field. Declarations also use it for values that only look filled in. */
export const required = 'is required';
