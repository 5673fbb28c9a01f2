import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import words from './words.json' with { type: 'json' };

/** The most words of a sentence. A longer one says too much at once. */
const mostWords = 45;

/**
 * The words that the style page of CONTRIBUTING.md rules out, as patterns, each with a plain alternative. The sandbox must not be called a
 * service: it was made from a document, and has not been compared with the live one.
 */
const rules = Object.entries(words).map(([pattern, instead]) => ({ pattern: new RegExp(`\\b(?:${pattern})\\b`, 'gi'), instead }));

/** The position of a fault, and a message with the words found and what to write instead. */
type WrongWords = readonly [at: number, says: string];

/** All faults in a text. @param sentence matches one sentence at most */
function faultsIn(text: string, sentence: RegExp): WrongWords[] {
  const byRule = rules.flatMap(({ pattern, instead }) =>
    [...text.matchAll(pattern)].map(({ 0: found, index }): WrongWords => [index, `"${found.replaceAll(/\s+/g, ' ')}": ${instead}`]),
  );
  const long = [...text.matchAll(sentence)].flatMap(({ 0: found, index }): WrongWords[] => {
    const words = found.trim().split(/\s+/);
    const says = `"${words.slice(0, 6).join(' ')} ...": shorter sentences: this one has ${words.length} words`;
    return words.length > mostWords ? [[index, says]] : [];
  });
  return [...byRule, ...long];
}

const inProse = /[^.!?:;|·\n]+(?:\n(?!\s*(?:\n|[-*#|]|\d+\.))[^.!?:;|·\n]+)*/g;
/** A text in code is on one line. */
const inLine = /[^.!?:;|·\n\\]+/g;

/** Documents, notes on the canvas of workflows, and code with texts for people: labels, errors, pages, output of commands. */
const files = [
  '**/*.md',
  '{docs/templates,n8n/examples}/**/*.json',
  '{shared,zapier,n8n,mcp,hosted,sdk,sandbox,examples,tools,evals}/**/*.{ts,mjs,cjs}',
];

/** Files that no person writes, and tests, whose texts are for their authors. */
const others = /(?:^|\/)(?:node_modules|dist|coverage|\.[^/]*)(?:\/|$)|^(?:test|bench)(?:\/|$)/;

/** The faults of a file. Everything that people do not read is blanked first, so that positions stay the same. */
function faultsOf(file: string, text: string): WrongWords[] {
  if (file.endsWith('.md')) return faultsIn(prose(text), inProse);
  const unread = file.endsWith('.json') ? /^(?!\s*"content": ).*$/gm : /\/\*[^]*?\*\/|(?<=^|\s)\/\/.*$/gm;
  return faultsIn(text.replaceAll(unread, blank), inLine);
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
  for await (const path of glob(files, { cwd: root, exclude: (path) => others.test(path.replaceAll('\\', '/')) })) {
    const file = path.replaceAll('\\', '/');
    const text = await readFile(join(root, file), 'utf8');
    for (const [at, says] of faultsOf(file, text)) lines.push(`${file}:${text.slice(0, at).split('\n').length} ${says}`);
  }
  if (lines.length > 0)
    throw new Error(`${lines.sort().join('\n')}\nThe style page is in CONTRIBUTING.md, the words are in tools/check/words.json.`);
}
