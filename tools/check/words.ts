import { glob, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** A form that no text for people may contain. */
interface Rule {
  pattern: RegExp;
  /** What to write instead. */
  instead: string;
}

/** A sentence with more words than this says too much at once. */
const mostWords = 45;

const word = (text: string, instead: string): Rule => ({ pattern: new RegExp(`\\b(?:${text})\\b`, 'gi'), instead });

/** The words that the style page of CONTRIBUTING.md rules out, each with a plain one. All patterns find every occurrence. */
const rules: readonly Rule[] = [
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
interface Fault {
  at: number;
  found: string;
  instead: string;
}

/** Everything in a text that the rules do not allow, in reading order. @param sentence what one sentence of it is, at most */
function faultsIn(text: string, sentence: RegExp): Fault[] {
  const byRule = rules.flatMap(({ pattern, instead }) =>
    [...text.matchAll(pattern)].map(({ 0: found, index }): Fault => ({ at: index, found, instead })),
  );
  const long = [...text.matchAll(sentence)].flatMap(({ 0: found, index }) => {
    const words = found.trim().split(/\s+/);
    const instead = `shorter sentences: this one has ${words.length} words`;
    return words.length > mostWords ? [{ at: index, found: `${words.slice(0, 6).join(' ')} ...`, instead }] : [];
  });
  return [...byRule, ...long].sort((one, other) => one.at - other.at);
}

const inProse = /[^.!?:;|·\n]+(?:\n(?!\s*(?:\n|[-*#|]|\d+\.))[^.!?:;|·\n]+)*/g;
/** A text in a program is on one line. */
const inLine = /[^.!?:;|·\n\\]+/g;

/** The code whose texts people see: labels, errors, pages, output of commands. Tests and benchmarks only speak to their authors. */
const sources = /^(?:shared|zapier|n8n|mcp|sdk|sandbox|examples|tools|evals)\/.*\.(?:ts|mjs|cjs)$/;
const workflows = /^(?:docs\/templates|n8n\/examples)\/.*\.json$/;

/** Texts that quote other words: the licences, the probe's forms of an answer, and the words that this check looks for. */
const others = /(?:^|\/)LICENSE$|^tools\/check\/words\.ts$|^test\/|^bench\//;

/** Folders that are built, installed or kept here. No person writes their contents. */
const notOurs = /^(?:node_modules|dist|coverage|\..*)$/;

/** The faults of a file. Everything that people do not read is blank, so that positions stay the same. */
function faultsOf(file: string, text: string): Fault[] {
  if (others.test(file)) return [];
  if (file.endsWith('.md')) return faultsIn(prose(text), inProse);
  // Of a workflow, the notes on its canvas.
  if (workflows.test(file)) return faultsIn(text.replaceAll(/^(?!\s*"content": ).*$/gm, blank), inLine);
  return sources.test(file) ? faultsIn(text.replaceAll(/\/\*[^]*?\*\/|(?<=^|\s)\/\/.*$/gm, blank), inLine) : [];
}

const blank = (text: string): string => text.replaceAll(/[^\n]/g, ' ');

/** The text of a document, without code, addresses, comments and the headers of skills. */
const prose = (text: string): string =>
  text
    .replace(/^---\n[^]*?\n---\n/, blank)
    .replaceAll(/^([ \t]*)(```|~~~)[^]*?\n\1\2/gm, blank)
    .replaceAll(/<!--[^]*?-->/g, blank)
    .replaceAll(/`[^`\n]*`/g, (code) => 'x'.repeat(code.length))
    .replaceAll(/\]\([^)\n]*\)/g, blank)
    .replaceAll(/https?:\/\/\S+/g, (address) => 'x'.repeat(address.length));

/** Checks all texts that people read. @param root the project's folder */
export async function checkWords(root: string): Promise<void> {
  const lines: string[] = [];
  for await (const path of glob('**/*.*', { cwd: root, exclude: (path) => notOurs.test(basename(path)) })) {
    const file = path.replaceAll('\\', '/');
    const text = /\.(?:md|json|[mc]?[tj]s)$/.test(file) ? await readFile(join(root, file), 'utf8') : '';
    for (const { at, found, instead } of faultsOf(file, text))
      lines.push(`${file}:${text.slice(0, at).split('\n').length} "${found.replaceAll(/\s+/g, ' ')}": ${instead}`);
  }
  if (lines.length > 0)
    throw new Error(`${lines.sort().join('\n')}\nThe style page is in CONTRIBUTING.md, the words are in tools/check/words.ts.`);
}
