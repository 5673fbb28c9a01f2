/** The SHA-256 of a text, as digits. Passed in where code also runs without Node.js. */
export type Hash = (text: string, form: 'hex' | 'base64url') => string;

/** The text whose SHA-256 is the key made from these parts. */
export const keyText = (...parts: readonly (string | undefined)[]): string => JSON.stringify(parts);
