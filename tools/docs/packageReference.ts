import { join, relative } from 'node:path';
import { format } from 'prettier';
import ts from 'typescript';
import { brand } from '../../shared/brand.ts';
import { declared, type Declared } from '../build/sdkDeclarations.ts';
import { entriesOf } from '../build/sdkEntries.ts';
import { root } from '../root.cjs';
import { anchor, block, code, page, table } from './markdown.ts';

/** What each entry is for, in the order of their pages. Every new entry in the manifest needs a line here. */
const about: Readonly<Record<string, string>> = {
  index: 'The client: every operation as a method, its input, its record, and its errors.',
  oauth: "Connecting other people's accounts and keeping them connected.",
  webhooks: 'Receiving deliveries, verifying them, handling each once, and keeping the subscription.',
  changes: 'The same events by comparing lists, for applications that the service cannot reach.',
  stores: "Keeping claims, tokens, subscriptions and a poller's state in SQLite, PostgreSQL or any other database.",
  testing: 'Signed and forged deliveries for tests of your own receiver.',
  node: 'Everything that needs the file system: only for Node.js, Bun and Deno.',
};

const importOf = (entry: string): string => (entry === 'index' ? brand.slug : `${brand.slug}/${entry}`);
const fileOf = (entry: string): string => `${entry === 'index' ? 'client' : entry}.md`;

/** A name that an entry exports. */
interface Exported {
  name: string;
  /** Distinguishes two exports with the same name. */
  id: string;
  /** The page that describes it: the page of the folder that it is written in. */
  home: string;
  isType: boolean;
  declaration: string;
  comment: Comment;
}

interface Comment {
  text: string;
  tags: { name: string; text: string }[];
}

/** The pages of the package for developers, one for each entry, by file. A change in them affects everyone who builds on the package. */
export async function packageReference(): Promise<Map<string, string>> {
  const entries = await entriesOf();
  const unsaid = Object.keys(entries).filter((entry) => about[entry] === undefined);
  if (unsaid.length > 0) throw new Error(`Say in tools/docs/packageReference.ts what ${unsaid.join(', ')} is for.`);
  const read = declared(Object.values(entries).map((file) => `sdk/${file}`));
  const all = new Map(Object.entries(entries).map(([entry, file]) => [entry, exportsOf(entry, `sdk/${file}`, read)]));
  const homes = homesOf(all);
  const pages = new Map<string, string>();
  for (const entry of Object.keys(about)) pages.set(fileOf(entry), await entryPage(entry, all.get(entry) ?? [], homes));
  const rows = Object.entries(about).map(([entry, words]) => [`[${code(importOf(entry))}](${fileOf(entry)})`, words]);
  return pages.set(
    'README.md',
    page(
      'Reference of the package for developers',
      table(['Entry', 'What it is for'], rows),
      'To begin: [quick start](../../use/code.md).',
    ),
  );
}

/** Where each name is described: on its own page if that exports it, otherwise where it first appears. */
function homesOf(all: ReadonlyMap<string, readonly Exported[]>): ReadonlyMap<string, string> {
  const homes = new Map<string, string>();
  for (const entry of Object.keys(about))
    for (const { id, home } of all.get(entry) ?? []) if (home === entry || !homes.has(id)) homes.set(id, entry);
  return homes;
}

async function entryPage(entry: string, exported: readonly Exported[], homes: ReadonlyMap<string, string>): Promise<string> {
  const own = exported.filter(({ id }) => homes.get(id) === entry).sort((a, b) => Number(a.isType) - Number(b.isType));
  const linked = exported
    .filter(({ id }) => homes.get(id) !== entry)
    .map(({ id, name }) => `[${code(name)}](${fileOf(homes.get(id) ?? '')}#${anchor(name)})`);
  const index = own.map(({ name }) => `[${code(name)}](#${anchor(name)})`);
  return page(
    code(importOf(entry)),
    about[entry],
    index.join(' · '),
    linked.length === 0 ? undefined : `This entry also exports: ${linked.join(' · ')}`,
    ...(await Promise.all(own.map(described))),
  );
}

async function described({ name, declaration, comment: { text, tags } }: Exported): Promise<string> {
  const of = (tag: string): string[] => tags.filter((each) => each.name === tag).map((each) => each.text);
  const formatted = await format(declaration, { parser: 'typescript', singleQuote: true, printWidth: 120 });
  return [
    `## ${name}`,
    text,
    block('ts', formatted.trim()),
    ...of('param').map((each) => `- ${each}`),
    ...of('returns').map((each) => `Returns ${each.replace(/\.$/, '')}.`),
    ...of('throws').map((each) => `Throws: ${each.replace(/\.$/, '')}.`),
    ...of('example'),
  ]
    .filter((each) => each !== '')
    .join('\n\n');
}

function exportsOf(entry: string, file: string, { program, textOf }: Declared): Exported[] {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(join(root, file));
  const module = source === undefined ? undefined : checker.getSymbolAtLocation(source);
  if (module === undefined) throw new Error(`${file} exports nothing.`);
  return checker.getExportsOfModule(module).map((symbol) => {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const [node] = target.declarations ?? [];
    if (node === undefined) throw new Error(`${symbol.name} of ${entry} is declared nowhere.`);
    const path = relative(root, node.getSourceFile().fileName).replaceAll('\\', '/');
    const { text, comment } = statementOf(target.name, textOf(path) ?? '');
    const [, folder = ''] = /^sdk\/(\w+)\//.exec(path) ?? [];
    return {
      name: symbol.name,
      id: `${path} ${target.name}`,
      home: folder in about ? folder : 'index',
      isType: (target.flags & ts.SymbolFlags.Value) === 0,
      declaration: text,
      comment,
    };
  });
}

/** The compiler's declaration of a name, with its comment separate from it. */
function statementOf(name: string, text: string): { text: string; comment: Comment } {
  const file = ts.createSourceFile('declared.d.ts', text, ts.ScriptTarget.Latest, true);
  const isIt = (statement: ts.Statement): boolean =>
    ts.isVariableStatement(statement)
      ? statement.declarationList.declarations.some((each) => each.name.getText(file) === name)
      : 'name' in statement && (statement.name as ts.Node | undefined)?.getText(file) === name;
  const found = file.statements.filter(isIt);
  const [first] = found;
  if (first === undefined) throw new Error(`The compiler declared nothing for ${name}.`);
  return { text: found.map((each) => each.getText(file).replace(/^export (declare )?/, '')).join('\n'), comment: commentOf(first) };
}

function commentOf(node: ts.Node): Comment {
  const [doc] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc).slice(-1);
  const words = (comment: string | ts.NodeArray<ts.JSDocComment> | undefined): string =>
    (ts.getTextOfJSDocComment(comment) ?? '').replaceAll(/\{@link (\w+)\}/g, '`$1`').trim();
  const tags = (doc?.tags ?? []).map((tag) => ({
    name: tag.tagName.text,
    text: ts.isJSDocParameterTag(tag) ? `${code(tag.name.getText())}: ${words(tag.comment)}` : textOfTag(tag, words(tag.comment)),
  }));
  return {
    text: unwrapped(words(doc?.comment)),
    tags: tags.map(({ name, text }) => ({ name, text: name === 'example' ? text : unwrapped(text) })),
  };
}

/** The compiler takes the first word after `@throws` for a type. */
const textOfTag = (tag: ts.JSDocTag, text: string): string =>
  ts.isJSDocThrowsTag(tag) && tag.typeExpression !== undefined ? `${tag.typeExpression.getText()} ${text}` : text;

/** Joins the lines of a paragraph, because only paragraphs and lists should start a new line. */
const unwrapped = (text: string): string => text.replaceAll(/(?<!\n)\n(?![\n-])/g, ' ');
