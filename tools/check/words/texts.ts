import { glob, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import ts from 'typescript';

/** A text that people read, as long as the file that contains it: everything else is blank, so that positions stay the same. */
export interface ReadText {
  file: string;
  text: string;
}

/** The code whose texts people see: labels, errors, pages, output of commands. Tests and benchmarks only speak to their authors. */
const sources = ['shared', 'zapier', 'n8n', 'mcp', 'sdk', 'sandbox', 'examples', 'tools'];

/** Texts that quote other words: the licences, the probe's forms of an answer, and the words that this check looks for. */
const others = /(?:^|\/)LICENSE$|^tools\/check\/words\/|^test\/|^bench\//;

/** Folders that are built, installed or kept here. No person writes their contents. */
const notOurs = /^(?:node_modules|dist|coverage|\..*)$/;

/** All texts of a project that people read, file by file. */
export async function readTexts(root: string): Promise<ReadText[]> {
  const files: string[] = [];
  for await (const entry of glob('**/*', { cwd: root, withFileTypes: true, exclude: ({ name }) => notOurs.test(name) })) {
    const file = relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/');
    if (entry.isFile() && !others.test(file)) files.push(file);
  }
  const kinds = files.sort().flatMap((file): [string, (text: string) => string][] => {
    if (file.endsWith('.md')) return [[file, prose]];
    if (/^(?:docs\/templates|n8n\/examples)\/.*\.json$/.test(file)) return [[file, notes]];
    return sources.includes(file.split('/')[0] ?? '') && /\.(?:ts|mjs|cjs)$/.test(file) ? [[file, literals]] : [];
  });
  return Promise.all(kinds.map(async ([file, read]) => ({ file, text: read(await readFile(join(root, file), 'utf8')) })));
}

const blank = (text: string): string => text.replaceAll(/[^\n]/g, ' ');

/** The text of a document, without code, addresses, comments and the headers of skills. */
export const prose = (text: string): string =>
  text
    .replace(/^---\n[^]*?\n---\n/, blank)
    .replaceAll(/^([ \t]*)(```|~~~)[^]*?\n\1\2/gm, blank)
    .replaceAll(/<!--[^]*?-->/g, blank)
    .replaceAll(/`[^`\n]*`/g, (code) => 'x'.repeat(code.length))
    .replaceAll(/\]\([^)\n]*\)/g, blank)
    .replaceAll(/https?:\/\/\S+/g, (address) => 'x'.repeat(address.length));

/** The texts of a program: strings of at least three words, and templates, but no comments. */
export function literals(text: string): string {
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
