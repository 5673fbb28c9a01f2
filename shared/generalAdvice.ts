/** The advice for messages that already say everything. A platform that knows more, such as which tool lists the ids, may replace it. */
export const generalAdvice = {
  correctIt: 'Correct it and run this again.',
  correctThem: 'Correct them and run this again.',
  answerIt: 'Answer it and run this again.',
  answerThem: 'Answer them and run this again.',
  rejected: 'Correct it and try again.',
} as const;

export const isGeneralAdvice = (advice: string): boolean => Object.values<string>(generalAdvice).includes(advice);

/** What to check if the response contained only a status. */
export const checkBetween = 'check that no proxy or firewall is in between.';
