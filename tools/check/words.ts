import { glob, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import ts from 'typescript';

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

/** Everything in a text that the rules do not allow, in reading order. */
function faultsIn(text: string): Fault[] {
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

/** The code whose texts people see: labels, errors, pages, output of commands. Tests and benchmarks only speak to their authors. */
const sources = ['shared', 'zapier', 'n8n', 'mcp', 'sdk', 'sandbox', 'examples', 'tools', 'evals'];

/** Texts that quote other words: the licences, the probe's forms of an answer, and the words that this check looks for. */
const others = /(?:^|\/)LICENSE$|^tools\/check\/words\.ts$|^test\/|^bench\//;

/** Folders that are built, installed or kept here. No person writes their contents. */
const notOurs = /^(?:node_modules|dist|coverage|\..*)$/;

/** How a file is read, as far as people read it: as long as the file, with everything else blank, so that positions stay the same. */
function readerOf(file: string): ((text: string) => string) | undefined {
  if (others.test(file)) return undefined;
  if (file.endsWith('.md')) return prose;
  if (/^(?:docs\/templates|n8n\/examples)\/.*\.json$/.test(file)) return notes;
  return sources.includes(file.split('/')[0] ?? '') && /\.(?:ts|mjs|cjs)$/.test(file) ? literals : undefined;
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

/** The texts of a program: strings of at least three words, and templates, but no comments. */
function literals(text: string): string {
  const kept: [from: number, to: number][] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isStringLiteral(node) ||
      ts.isNoSubstitutionTemplateLiteral(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddle(node) ||
      ts.isTemplateTail(node)
    ) {
      if (/\p{L}+['’]?\p{L}* .*\p{L}/u.test(node.text) || ts.isTemplateMiddle(node)) kept.push([node.getStart() + 1, node.getEnd() - 1]);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('text.ts', text, ts.ScriptTarget.Latest, true));
  let read = '';
  let at = 0;
  for (const [from, to] of kept.sort(([one], [other]) => one - other)) {
    // A full stop between two texts, because they are not one sentence.
    read += blank(text.slice(at, from)).replace(/ $/, '.') + prose(text.slice(from, to));
    at = to;
  }
  return read + blank(text.slice(at));
}

/** The texts of the notes on a workflow's canvas. */
function notes(text: string): string {
  let read = '';
  let at = 0;
  for (const { 0: whole, 1: key = '', 2: value = '', index } of text.matchAll(/("content": ")((?:[^"\\]|\\.)*)"/g)) {
    const from = index + key.length;
    read += blank(text.slice(at, from)).replace(/ $/, '.') + prose(value.replaceAll('\\n', '. '));
    at = index + whole.length - 1;
  }
  return read + blank(text.slice(at));
}

/**
 * Checks all texts that people read.
 *
 * @param root the project's folder
 * @throws an error that names each place the rules do not allow, with what to write instead
 */
export async function checkWords(root: string): Promise<void> {
  const lines: string[] = [];
  for await (const path of glob('**/*.*', { cwd: root, exclude: (path) => notOurs.test(basename(path)) })) {
    const file = path.replaceAll('\\', '/');
    const text = readerOf(file)?.(await readFile(join(root, file), 'utf8')) ?? '';
    for (const { at, found, instead } of faultsIn(text))
      lines.push(`${file}:${text.slice(0, at).split('\n').length} "${found.replaceAll(/\s+/g, ' ')}": ${instead}`);
  }
  if (lines.length > 0)
    throw new Error(`${lines.sort().join('\n')}\nThe style page is in CONTRIBUTING.md, the words are in tools/check/words.ts.`);
}
