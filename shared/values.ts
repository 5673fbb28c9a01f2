/** Text or a number as text, and `''` for anything else, because a value from outside may have any type. */
export const asText = (value: unknown): string => (typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '');

/**
 * The words of whatever was thrown, which may be no error, or hold its words in another one; "no reason given" if it has none. Never an
 * object as text, and nothing else of an object, which may hold a secret.
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

/** Text without what nobody sees of it, or what turns its direction. It may come along when text is copied from a page or a chat. */
export const visible = (text: string): string => text.replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu, '').trim();

/** The same, and with the letters, digits and signs of ASCII where a Japanese, Arabic or Persian keyboard types others: for what machines read. */
export const inAscii = (text: string): string =>
  visible(text).replace(/[\uFF01-\uFF5E\u0660-\u0669\u06F0-\u06F9]/g, (typed) => {
    const code = typed.charCodeAt(0);
    return code > 0xff00 ? String.fromCharCode(code - 0xfee0) : String(code % 16);
  });

/** What nobody sees: white space, control characters, and letters without any ink. */
const unseen = /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Whether there is nothing in a field that somebody filled in, an expression for example: nothing that anybody sees, or a list of that. */
export const isBlank = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && unseen.test(value)) ||
  (Array.isArray(value) && value.every(isBlank));

/** White space, line ends, quotes and characters that nobody sees, at the ends of a text. */
export const copyEnds = /^[\s\p{Cc}\p{Cf}\p{DI}\p{QMark}\x60\xb4\u2800]{1,99}|[\s\p{Cc}\p{Cf}\p{DI}\p{QMark}\x60\xb4\u2800]{1,99}$/gu;

/**
 * A secret, a token, an id or an address without what was copied along with it, from a page, a chat or a file of settings. None of these
 * begins or ends with a quote or with something that nobody sees.
 */
export const copied = (text: string): string => text.replace(copyEnds, '');

/** Whether a value says yes, or no: some languages write both as numbers or as text. */
export const isYes = (value: unknown): boolean => [true, 1, 'true', '1'].includes(value as string);
export const isNo = (value: unknown): boolean => [false, 0, 'false', '0'].includes(value as string);

/** What a person, a program, a form (`on`) or a database (`t`) says to a question of yes or no; `undefined` if it is neither. */
export function yesOrNo(value: unknown): boolean | undefined {
  const said = visible(String(value));
  if (/^(?:true|yes|on|checked|[yt1\u2713])$/i.test(said)) return true;
  return /^(?:false|no|off|unchecked|[nf0])$/i.test(said) ? false : undefined;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value as text, in whatever order its names come. */
export const sortedJson = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => (isObject(each) ? Object.fromEntries(Object.entries(each).sort()) : each));

/** Some services answer with a list of one thing. */
export const onlyOne = (value: unknown): unknown => (Array.isArray(value) && value.length === 1 ? value[0] : value);

/** What replaces bytes that are not UTF-8. It may be legitimate in text, but an id with it is not usable. */
const notUtf8 = '\uFFFD';

/** A number so large that its last digits were lost when it was read, such as 9007199254740993: nobody knows what was sent. */
export const isInexact = (value: unknown): boolean => typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER;

/**
 * An id as text: text as it is, a whole number as its digits (G3). `undefined` for everything else, including an inexact number, which may
 * now be the id of something else.
 */
export function idText(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' || value.includes(notUtf8) ? undefined : value;
  return Number.isSafeInteger(value) ? String(value) : undefined;
}

/** Half a character, as a cut leaves it. Some programs refuse everything that holds one. */
const half = /\p{Cs}/gu;

/** A wrong value, short, as a sentence shows it to whoever entered it. */
export function quoteValue(value: unknown): string {
  if (typeof value === 'string') return `"${value.slice(0, 80).replace(half, '')}"`;
  try {
    return JSON.stringify(value)?.slice(0, 80).replace(half, '') ?? typeof value;
  } catch {
    // What JSON does not have, such as a BigInt or an object that contains itself.
    return `a value of the type ${typeof value}`;
  }
}

/** Long, and mixed as only generated text is: a token or a secret. Ids are shorter, and words are not mixed. */
const isOpaque = (word: string): boolean => /\d/.test(word) && (/^[0-9a-f]+$/i.test(word) || (/[a-z]/.test(word) && /[A-Z]/.test(word)));

/** Some services repeat the token, which may be as short as an id: `Invalid access token (expired): 6f1c2a9e0b1d4c55`, or before its name. */
const isNamedToken = (word: string, near: readonly string[]): boolean =>
  word.length >= 16 && /\d/.test(word) && near.some((each) => /token|secret|credential/i.test(each));

/** What follows the word in a sentence, and is no token. */
const afterBearer = /^(?:tokens?|auth(?:entication|orization)?|credentials?|header)[.,;:"']?$/i;

/** Makes text from outside safe to show: one line, at most 300 characters, nothing invisible, tokens and secrets hidden. */
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

/** The content of a body; the text itself if it is not JSON. Some servers begin it with a byte order mark, which JSON does not allow. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return text;
  }
}

/** A list as it is, or as text that is one in JSON; anything else as it is. */
export function listIn(value: unknown): unknown {
  const read = typeof value === 'string' ? parsed(value) : value;
  return Array.isArray(read) ? read : value;
}
