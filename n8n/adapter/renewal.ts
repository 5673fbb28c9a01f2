/**
 * One renewal of a token at a time for each credential, in this process.
 *
 * Hosts before mid-2026 refresh once for every request that finds the token expired: thirty parallel requests spend
 * thirty refreshes, and with rotating refresh tokens all but the first are refused. Here the first request renews and
 * the others wait for it.
 */
const underWay = new Map<string, Promise<unknown>>();

/**
 * Runs `renew` for the first caller and `repeat` for all who come while it runs, once it has ended, however it ended.
 *
 * @param credential what the token belongs to; nothing else is shared
 */
export async function renewOnce<Answer>(credential: string, renew: () => Promise<Answer>, repeat: () => Promise<Answer>): Promise<Answer> {
  const running = underWay.get(credential);
  if (running !== undefined) {
    await Promise.allSettled([running]);
    return repeat();
  }
  const renewal = renew();
  underWay.set(credential, renewal);
  try {
    return await renewal;
  } finally {
    underWay.delete(credential);
  }
}
