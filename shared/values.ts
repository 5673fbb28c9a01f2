/** Text or a number as text, and `''` for anything else, because a value from outside may have any type. */
export const asText = (value: unknown): string => (typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '');

/**
 * The message of anything that was thrown, which may not be an error, or may contain its message in a nested error; "no reason given" if it
 * has none. Never an object as text, nor any of its other properties, which may be secret.
 */
export const errorWords = (thrown: unknown): string => wordsIn(thrown, 0) ?? 'no reason given';

function wordsIn(thrown: unknown, depth: number): string | undefined {
  const text = asText(thrown).trim();
  if (text !== '' && !text.includes('[object Object]')) return text;
  if (!isObject(thrown) || depth > 4) return undefined;
  for (const key of ['message', 'description', 'reason', 'error', 'cause', 'code', 'name']) {
    const words = wordsIn(thrown[key], depth + 1);
    if (words !== undefined) return words;
  }
  return undefined;
}

/** Whether a field holds anything: not missing, null or empty text. */
export const hasValue = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** Text without characters that are invisible or reverse the text direction, which are often copied from pages and chats. */
export const visible = (text: string): string => text.replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu, '').trim();

/**
 * Like `visible`, but also replaces the fullwidth characters and Arabic or Persian digits of some keyboards by ASCII, for text that
 * machines read.
 */
export const inAscii = (text: string): string =>
  visible(text).replace(/[\uFF01-\uFF5E\u0660-\u0669\u06F0-\u06F9]/g, (typed) => {
    const code = typed.charCodeAt(0);
    return code > 0xff00 ? String.fromCharCode(code - 0xfee0) : String(code % 16);
  });

/** Only invisible characters: white space, control characters, and blank letters. */
const unseen = /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Whether a filled-in field, for example one with an expression, is empty: it has no visible character, or is a list of such values. */
export const isBlank = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && unseen.test(value)) ||
  (Array.isArray(value) && value.every(isBlank));

/** White space, line ends, quotes and invisible characters at the ends of a text. */
export const copyEnds = /^[\s\p{Cc}\p{Cf}\p{DI}\p{QMark}\x60\xb4\u2800]{1,99}|[\s\p{Cc}\p{Cf}\p{DI}\p{QMark}\x60\xb4\u2800]{1,99}$/gu;

/**
 * A secret, a token, an id or an address without the characters that were copied along with it from a page, a chat or a settings file. None
 * of these begins or ends with a quote or an invisible character.
 */
export const copied = (text: string): string => text.replace(copyEnds, '');

/** Whether a value means yes, or no. Some languages write both as numbers or as text. */
export const isYes = (value: unknown): boolean => [true, 1, 'true', '1'].includes(value as string);
export const isNo = (value: unknown): boolean => [false, 0, 'false', '0'].includes(value as string);

/** Yes or no as people, programs, forms (`on`) and databases (`t`) write it; `undefined` if it is neither. */
export function yesOrNo(value: unknown): boolean | undefined {
  const said = visible(String(value));
  if (/^(?:true|yes|on|checked|[yt1\u2713])$/i.test(said)) return true;
  return /^(?:false|no|off|unchecked|[nf0])$/i.test(said) ? false : undefined;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value as JSON with sorted keys, so that their order does not matter. */
export const sortedJson = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => (isObject(each) ? Object.fromEntries(Object.entries(each).sort()) : each));

/** The only element of a list, because some services return a list of one thing; any other value unchanged. */
export const onlyOne = (value: unknown): unknown => (Array.isArray(value) && value.length === 1 ? value[0] : value);

/** The replacement for bytes that are not UTF-8. It may be legitimate in text, but an id that contains it is not usable. */
const notUtf8 = '\uFFFD';

/** A number so large that its last digits were lost when it was read, such as 9007199254740993: what was sent is unknown. */
export const isInexact = (value: unknown): boolean => typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER;

/**
 * An id as text: text unchanged, a whole number as its digits (G3). `undefined` for anything else, including an inexact number, which may
 * have become the id of something else.
 */
export function idText(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' || value.includes(notUtf8) ? undefined : value;
  return Number.isSafeInteger(value) ? String(value) : undefined;
}

/** Half of a character (a lone surrogate) that truncation leaves. Some programs refuse any text that contains one. */
const half = /\p{Cs}/gu;

/** A wrong value, shortened, to show in a sentence to the person who entered it. */
export function quoteValue(value: unknown): string {
  if (typeof value === 'string') return `"${value.slice(0, 80).replace(half, '')}"`;
  try {
    return JSON.stringify(value)?.slice(0, 80).replace(half, '') ?? typeof value;
  } catch {
    // A value that JSON cannot represent, such as a BigInt or a circular object.
    return `a value of the type ${typeof value}`;
  }
}

/** Whether a long word is mixed as only generated text is: a token or a secret. Ids are shorter, and ordinary words are not mixed. */
const isOpaque = (word: string): boolean => /\d/.test(word) && (/^[0-9a-f]+$/i.test(word) || (/[a-z]/.test(word) && /[A-Z]/.test(word)));

/**
 * Some services repeat the token, which may be as short as an id, after or before its name:
 * `Invalid access token (expired): 6f1c2a9e0b1d4c55`.
 */
const isNamedToken = (word: string, near: readonly string[]): boolean =>
  word.length >= 16 && /\d/.test(word) && near.some((each) => /token|secret|credential/i.test(each));

/** Words that may follow "bearer" in a sentence without being a token. */
const afterBearer = /^(?:tokens?|auth(?:entication|orization)?|credentials?|header)[.,;:"']?$/i;

/** Makes text from outside safe to show: one line, at most 300 characters, no invisible characters, tokens and secrets hidden. */
export const tidy = (words: string): string =>
  visible(words.slice(0, 600))
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/bearer (\S+)/gi, (said, next: string) => (afterBearer.test(next) ? said : 'Bearer [hidden]'))
    .split(' ')
    .map((word, index, all) => (isNamedToken(word, all.slice(Math.max(0, index - 2), index + 7)) ? '[hidden]' : word))
    .join(' ')
    .replace(/[\w.~+=-]{40,}/g, (word) => (isOpaque(word) ? '[hidden]' : word))
    .trim()
    .slice(0, 300)
    .replace(half, '');

/** A text within JSON, to its end. A line end after a backslash is left alone: to write it would make it a backslash and an n. */
const textInJson = /"(?:[^"\\]|\\\P{Cc})*"?/gu;
const escaped = (json: string): string =>
  json.replace(textInJson, (text) => text.replace(/\p{Cc}/gu, (each) => JSON.stringify(each).slice(1, -1)));

/**
 * The parsed content of JSON; the text itself if it is none. Some servers begin it with a byte order mark, and n8n and shells put texts into
 * it with the line ends that somebody typed. JSON allows neither.
 */
export function parsed(text: string, reviver?: (key: string, value: unknown) => unknown): unknown {
  const json = text.replace(/^\uFEFF/, '');
  for (const form of [() => json, () => escaped(json)]) {
    try {
      return JSON.parse(form(), reviver);
    } catch {
      // The other form, or none.
    }
  }
  return text;
}

/** A list, or the list in a JSON text; anything else unchanged. */
export function listIn(value: unknown): unknown {
  const read = typeof value === 'string' ? parsed(value) : value;
  return Array.isArray(read) ? read : value;
}
