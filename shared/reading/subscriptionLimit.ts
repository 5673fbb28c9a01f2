// G19, the limit of subscriptions, told in words of the service's own.

import { codeWords } from './errorBody.ts';

const subscriptionLimitAnswer = {
  statuses: [400, 403, 409, 422, 429],
  /** A message is about the limit if it mentions subscriptions and a limit ... */
  names: [/\b(?:subscriptions?|(?:web)?hooks?|endpoints?)\b/i, /\b(?:limit|maximum|max|quota|too many|no more|25)\b/i],
  /** ... and nothing that belongs to the limit of requests a minute, or to the length of the input. */
  otherLimit: /\b(?:rate|minutes?|requests?|length|long|characters?|size)\b/i,
};

/** Whether a refused request for a subscription met the account's limit of subscriptions, by its words or its code (G19). */
export function isAboutSubscriptionLimit(status: number, words: string, code: string | undefined): boolean {
  const { names, otherLimit, statuses } = subscriptionLimitAnswer;
  const isNamed = [words, code].map(codeWords).some((text) => names.every((each) => each.test(text)) && !otherLimit.test(text));
  return isNamed && statuses.includes(status);
}
