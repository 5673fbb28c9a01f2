import { glob, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import ts from 'typescript';

/** Something that a person reads, as long as the file that it is in: what nobody reads there is blank, so that places stay. */
export interface ReadText {
  file: string;
  text: string;
}

/** Where people meet what the code says: labels, errors, pages, what commands print. Tests and benchmarks speak to their authors. */
const sources = ['shared', 'zapier', 'n8n', 'mcp', 'sdk', 'sandbox', 'examples', 'tools'];

/** Texts that quote another's words: the licences, the probe's forms of an answer, and the words that this check looks for. */
const others = /(?:^|\/)LICENSE$|^tools\/check\/words\/|^test\/(?!__golden__)|^bench\//;

/** Built, installed and kept here: nobody writes it. */
const notOurs = /^(?:node_modules|dist|coverage|\..*)$/;

/** Everything that a person reads of a project, file by file. */
export async function readTexts(root: string): Promise<ReadText[]> {
  const files: string[] = [];
  for await (const entry of glob('**/*', { cwd: root, withFileTypes: true, exclude: ({ name }) => notOurs.test(name) })) {
    const file = relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/');
    if (entry.isFile() && !others.test(file)) files.push(file);
  }
  const kinds = files.sort().flatMap((file): [string, (text: string) => string][] => {
    if (file.endsWith('.md')) return [[file, prose]];
    if (/^(?:docs\/templates|n8n\/examples)\/.*\.json$/.test(file)) return [[file, (text) => values(text, ['content'])]];
    if (/^test\/__golden__\/.*\.json$/.test(file)) return [[file, (text) => values(text, shown)]];
    return sources.includes(file.split('/')[0] ?? '') && /\.(?:ts|mjs|cjs)$/.test(file) ? [[file, literals]] : [];
  });
  return Promise.all(kinds.map(async ([file, read]) => ({ file, text: read(await readFile(join(root, file), 'utf8')) })));
}

const blank = (text: string): string => text.replaceAll(/[^\n]/g, ' ');

/** What a document says: without code, addresses, comments, and the heads of skills. */
export const prose = (text: string): string =>
  text
    .replace(/^---\n[^]*?\n---\n/, blank)
    .replaceAll(/^([ \t]*)(```|~~~)[^]*?\n\1\2/gm, blank)
    .replaceAll(/<!--[^]*?-->/g, blank)
    .replaceAll(/`[^`\n]*`/g, (code) => 'x'.repeat(code.length))
    .replaceAll(/\]\([^)\n]*\)/g, blank)
    .replaceAll(/https?:\/\/\S+/g, (address) => 'x'.repeat(address.length));

/** What the texts of a program say: strings of three words and more, and templates. Comments are not in it. */
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
    // A full stop between two texts: they are no one sentence.
    read += blank(text.slice(at, from)).replace(/ $/, '.') + prose(text.slice(from, to));
    at = to;
  }
  return read + blank(text.slice(at));
}

const shown = ['content', 'label', 'helpText', 'description', 'displayName', 'hint', 'placeholder', 'message', 'notice', 'action', 'noun'];

/** What is written in a JSON file under some keys, as it is written there. */
export function values(text: string, keys: readonly string[]): string {
  const pattern = new RegExp(`("(?:${keys.join('|')})": ")((?:[^"\\\\]|\\\\.)*)"`, 'g');
  let read = '';
  let at = 0;
  for (const { 0: whole, 1: key = '', 2: value = '', index } of text.matchAll(pattern)) {
    const from = index + key.length;
    read += blank(text.slice(at, from)).replace(/ $/, '.') + prose(value.replaceAll('\\n', '. '));
    at = index + whole.length - 1;
  }
  return read + blank(text.slice(at));
}
