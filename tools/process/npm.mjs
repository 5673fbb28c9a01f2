/** Part of npm's message about a registry that it cannot reach. */
export const NO_CONNECTION = 'failed, reason: ';

/** For one request that shows whether there is a registry: three tries within seconds. For many requests, npm's own patience is better. */
export const impatient = ['--fetch-retries=2', '--fetch-retry-factor=1', '--fetch-retry-mintimeout=2000'];

/**
 * npm's message about a failure, without the stack trace: only the reason, if it cannot reach the registry.
 *
 * @param {string} printed
 */
export function npmSays(printed) {
  const lines = printed.split('\n').flatMap((line) => /^npm (?:error|ERR!)\s+(?:network )?(\S.*)/.exec(line)?.[1] ?? []);
  const reason = lines.find((line) => line.includes(NO_CONNECTION));
  if (reason !== undefined) return reason.replace(/^FetchError: /, '');
  return lines.filter((line) => !/^(?:at |A complete log)/.test(line)).join('\n') || printed.trim();
}
