/** The advice where the message says everything. A platform that knows more, such as which tool lists the ids, may say that instead. */
export const generalAdvice = {
  correct: (count: number): string => `Correct ${count > 1 ? 'them' : 'it'} and run this again.`,
  answer: (count: number): string => `Answer ${count > 1 ? 'them' : 'it'} and run this again.`,
  rejected: 'Correct it and try again.',
};

export const isGeneralAdvice = (advice: string): boolean =>
  advice === generalAdvice.rejected || [1, 2].some((count) => [generalAdvice.correct(count), generalAdvice.answer(count)].includes(advice));
