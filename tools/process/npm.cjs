const REASON = /^npm (?:error|ERR!) code (\S+)/m;
const LOG = /A complete log of this run can be found in:?\s+(\S+)/;

/**
 * The reason for npm's failure in a few words, to be put in brackets: the error code, and the file with the details.
 *
 * @param {string} output
 * @returns {string}
 */
function whyNpmFailed(output) {
  const code = REASON.exec(output)?.[1];
  const log = LOG.exec(output)?.[1];
  const last = output.trim().split('\n').at(-1) ?? '';
  // A number is the exit code of a command that npm ran, such as a compiler.
  const reason = code !== undefined && /^\d+$/.test(code) ? `a command ended with ${code}` : code;
  return [reason ?? (log === undefined ? last : undefined), log && `npm's log is ${log}`].filter((part) => part !== undefined).join('; ');
}

module.exports = { whyNpmFailed };
