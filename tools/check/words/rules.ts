/** A form that no text for people may contain. */
export interface Rule {
  pattern: RegExp;
  /** What to write instead. */
  instead: string;
}

/** A sentence with more words than this says too much at once. */
export const mostWords = 45;

const word = (text: string, instead: string): Rule => ({ pattern: new RegExp(`\\b(?:${text})\\b`, 'gi'), instead });

/** The words that the style page of CONTRIBUTING.md rules out, each with a plain one. All patterns find every occurrence. */
export const rules: readonly Rule[] = [
  word('e-mails?', 'email'),
  word('carr(?:y|ies|ied|ying) (?:it |them |this )?out', 'do, make, run'),
  word('(?:hand|hands|handed|handing) (?:it |them )?(?:over|on|out)', 'pass, give, send'),
  word('what(?:so)?ever|who(?:so)?ever|whichever', 'everything that, anyone who, any'),
  word('at hand', 'available'),
  word('told as', 'reported as'),
  word('anew', 'again, new'),
  word('in vain', 'without success'),
  word('mend(?:s|ed|ing)?', 'fix'),
  word('(?:hold|holds|held|holding) [^.]{0,30}against', 'check against, compare with'),
  word('(?:take|takes|took|taken|taking) stock', 'record the current state'),
  word('put down', 'write, save'),
  word('at the (?:most|least|soonest|latest)', 'at most, at least'),
  word('stands? (?:in|on|under|beside|between|over|at)(?! for)', 'is in, is on'),
  word('(?<!there )is no (?!longer|such)', 'is not a'),
  word('is there already|is (?:cancelled|deleted|gone) already', 'already exists, is already cancelled'),
  word('(?:lie|lies|lay) (?:in|on|with|beside|within|under)', 'is in'),
  word(
    'lest|albeit|amongst|whilst|upon|whence|thence|hence|thereby|therein|thereof|whereby|wherein|hereby|herewith|henceforth',
    'a plain word',
  ),
  word(
    'utili[sz]e[sd]?|leverage[sd]?|in order to|please note|simply|obviously|of course|seamless(?:ly)?|robust(?:ly)?',
    'leave it out, or use',
  ),
  word('e\\.g\\.|i\\.e\\.|etc\\.', 'for example, that is, and so on'),
  word('in words', 'say what the sentence says'),
  // The sandbox is none of these: it was made from a document, and what works there has not been tried against the live service.
  word('(?:whole |scheduling )*service (?:itself )?on your machine', 'a stand-in for the service'),
  word('goes? round|go round', 'use other ports; make a full round trip'),
];

/** A fault of a text: where it begins, and how to correct it. */
export interface Fault {
  at: number;
  found: string;
  instead: string;
}

/** Everything in a text that the rules do not allow, in reading order. */
export function faultsIn(text: string): Fault[] {
  const byRule = rules.flatMap(({ pattern, instead }) =>
    [...text.matchAll(pattern)].map(({ 0: found, index }): Fault => ({ at: index, found, instead })),
  );
  return [...byRule, ...longSentences(text)].sort((one, other) => one.at - other.at);
}

function longSentences(text: string): Fault[] {
  return [...text.matchAll(/[^.!?:;|·\n]+(?:\n(?!\s*(?:\n|[-*#|]|\d+\.))[^.!?:;|·\n]+)*/g)].flatMap(({ 0: sentence, index }) => {
    const words = sentence.trim().split(/\s+/);
    return words.length > mostWords
      ? [{ at: index, found: `${words.slice(0, 6).join(' ')} ...`, instead: `shorter sentences: this one has ${words.length} words` }]
      : [];
  });
}
