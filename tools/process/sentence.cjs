// CommonJS, because it runs before any package is installed, on every Node, and inside jest.
const util = require('node:util');

/** The system's error codes as sentences for people, with what to do next. */
const byCode = /** @type {Record<string, (place: string) => string>} */ ({
  EACCES: (place) => `You do not have permission to read or write ${place}. Change its permissions, or name another place.`,
  EPERM: (place) => `You do not have permission to change ${place}. Change its permissions, or name another place.`,
  EEXIST: (place) => `${place} already exists. Move it, or name another place.`,
  EISDIR: (place) => `${place} is a folder, not a file. Name a file.`,
  ENOENT: (place) => `${place} does not exist. Check the spelling.`,
  ENOSPC: (place) => `There is no space left for ${place}. Free some and run the same command again.`,
  ENOTDIR: (place) => `${place} is inside a file, not a folder. Name another place.`,
  EROFS: (place) => `${place} is on a read-only file system. Name another place.`,
  EADDRINUSE: (place) => `${place} is taken. Stop what listens there, or choose another port.`,
});

/**
 * Turns anything that was thrown into one sentence for the person who reads it: what was wrong, where, and what to do next.
 *
 * @param {unknown} error
 * @returns {string}
 */
function sentenceOf(error) {
  if (typeof error !== 'object' || error === null) return String(error);
  const { message, code, path, dest, port, sentence } = /** @type {Record<string, unknown>} */ (error);
  if (typeof sentence === 'string') return sentence;
  const place = [dest, path, typeof port === 'number' ? `port ${port}` : undefined].find((each) => typeof each === 'string');
  const tell = typeof code === 'string' ? byCode[code] : undefined;
  if (tell !== undefined && place !== undefined) return capital(tell(String(place)));
  const text = typeof message === 'string' && message !== '' ? message : 'It failed and gave no reason.';
  return place === undefined || !isOfTheSystem(code) ? text : `${text}. Check ${String(place)}.`;
}

/**
 * The sentence for an error that ended a program before it began, or nothing if the program itself is at fault.
 *
 * @param {unknown} error
 * @returns {string | undefined}
 */
function sentenceBeforeTheStart(error) {
  if (!(error instanceof Error)) return undefined;
  if (error.message.startsWith('brand.json ')) return error.message;
  const [, file, reason] = /^(?:file:\/\/)?(\S*brand\.json): (.+)/.exec(error.message) ?? [];
  if (!(error instanceof SyntaxError) || file === undefined) return undefined;
  return `${decodeURI(file)} is not JSON: ${reason}. Correct it and run the same command again.`;
}

/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {unknown} code */
const isOfTheSystem = (code) => [...util.getSystemErrorMap().values()].some(([name]) => name === code);

module.exports = { sentenceOf, sentenceBeforeTheStart };
