// CommonJS, because it also runs inside jest.

/**
 * Turns anything that was thrown into one sentence for people. A system error about a file also names the place to check.
 *
 * @param {unknown} error
 * @returns {string}
 */
function sentenceOf(error) {
  if (typeof error !== 'object' || error === null) return String(error);
  const { message, code, path, dest = path, sentence } = /** @type {Record<string, unknown>} */ (error);
  if (typeof sentence === 'string') return sentence;
  const text = typeof message === 'string' && message !== '' ? message : 'It failed and gave no reason.';
  return typeof code === 'string' && typeof dest === 'string' ? `${text}. Check ${dest}.` : text;
}

module.exports = { sentenceOf };
