import { resources } from '../../shared/records/index.ts';
import type { Operation } from '../../shared/operations/index.ts';

/** The key of an action or search, such as `create_booking`. Zaps contain it, so it must not change after publication. */
export const actionKey = ({ name, resource }: Pick<Operation, 'name' | 'resource'>): string =>
  `${name}_${resource}`.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export const nounOf = ({ resource }: Pick<Operation, 'resource'>): string => resources[resource].label;

/**
 * Converts a question's key to the key of a field, and back. It gets a prefix, because a question may have the same name as a field of the
 * form. Everything except letters, digits and single underscores is written as its code point in hexadecimal, because Zapier reads dots and
 * double underscores as paths.
 *
 * @param prefix the key of the field for the answers
 */
export const answerKeys = (prefix: string) => ({
  encode: (key: string): string =>
    `${prefix}_${key.replace(/[^A-Za-z0-9_]|^_|(?<=_)_/gu, (character) => `-${(character.codePointAt(0) ?? 0).toString(16)}-`)}`,

  /** The answers among the values of a form, under their questions' keys. */
  decoded: (inputData: Readonly<Record<string, unknown>>): Record<string, unknown> => {
    const own = Object.entries(inputData).filter(([key]) => key.startsWith(`${prefix}_`));
    return Object.fromEntries(own.map(([key, value]) => [decode(key.slice(prefix.length + 1)), value]));
  },
});

const decode = (key: string): string =>
  key.replace(/-([0-9a-f]{1,6})-/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));
