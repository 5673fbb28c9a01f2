import { join, relative } from 'node:path';
import ts from 'typescript';
import { brand } from '../../shared/brand.ts';
import { entriesOf, programOf } from '../build/sdkDeclarations.ts';
import { root } from '../root.cjs';
import { code, paragraphs, table } from './reference.ts';

/** The purpose of each entry, in the order of the page. Every new entry in the manifest needs a line here. */
const about: Readonly<Record<string, string>> = {
  index: 'The client: every operation as a method, its input, its record, and its errors.',
  operations: 'A client of chosen operations, for pages and workers whose size counts. Each operation becomes the method that it names.',
  oauth: "Connecting other people's accounts and keeping them connected.",
  webhooks: 'Receiving deliveries, verifying them, handling each once, and keeping the subscription.',
  changes: 'The events that lists show, for applications that the service cannot reach.',
  stores: "Keeping claims, tokens, subscriptions and a poller's state in SQLite, PostgreSQL or any other database.",
  testing: 'Signed and forged deliveries for tests of your own receiver.',
  node: 'Everything that needs the file system: only for Node.js, Bun and Deno.',
};

export type Exported = ReturnType<typeof exportsOf>[number];

/** The exports of each entry of the developer package. A change in them affects everyone who builds on it. */
export function packageReference(): string {
  const all = packageExports();
  const homes = new Map<string, string>();
  for (const [entry, exported] of all) for (const { id, home } of exported) if (home === entry || !homes.has(id)) homes.set(id, entry);
  return paragraphs(
    ...[...all].flatMap(([entry, exported]) => {
      const own = exported.filter(({ id }) => homes.get(id) === entry);
      const rows = own.filter(({ isType }) => !isType).map(({ purpose, declaration }) => [code(declaration), purpose]);
      const types = own.filter(({ isType }) => isType).map(({ name }) => code(name));
      return [
        `## ${code(entry === 'index' ? brand.slug : `${brand.slug}/${entry}`)}`,
        about[entry],
        table(['Export', 'What it is'], rows),
        ...(types.length === 0 ? [] : [`Types: ${types.join(', ')}`]),
      ];
    }),
  );
}

/** The exports of each entry, in the order of the page. */
export function packageExports(): Map<string, readonly Exported[]> {
  const entries = entriesOf();
  const unsaid = Object.keys(entries).filter((entry) => about[entry] === undefined);
  if (unsaid.length > 0) throw new Error(`Say in tools/docs/packageReference.ts what ${unsaid.join(', ')} is for.`);
  const program = programOf(Object.values(entries).map((file) => `sdk/${file}`));
  return new Map(Object.keys(about).map((entry) => [entry, exportsOf(entry, `sdk/${entries[entry] ?? ''}`, program)]));
}

function exportsOf(entry: string, file: string, program: ts.Program) {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(join(root, file));
  const module = source === undefined ? undefined : checker.getSymbolAtLocation(source);
  if (module === undefined) throw new Error(`${file} exports nothing.`);
  return checker.getExportsOfModule(module).map((symbol) => {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const [node] = target.declarations ?? [];
    if (node === undefined) throw new Error(`${symbol.name} of ${entry} is declared nowhere.`);
    const path = relative(root, node.getSourceFile().fileName).replaceAll('\\', '/');
    const [, folder = ''] = /^sdk\/(\w+)\//.exec(path) ?? [];
    const isType = (target.flags & ts.SymbolFlags.Value) === 0;
    const [purpose = ''] = ts.displayPartsToString(target.getDocumentationComment(checker)).split('\n\n');
    return {
      name: symbol.name,
      /** Distinguishes two exports with the same name. */
      id: `${path} ${target.name}`,
      /** The folder that declares it: an entry that only re-exports it does not describe it again. */
      home: folder in about ? folder : 'index',
      isType,
      declaration: isType ? node.getText().replace('export ', '') : declarationOf(node, target, checker),
      /** The first paragraph of its comment. */
      purpose: purpose
        .replaceAll(/\{@link (\w+)\}/g, '`$1`')
        .replaceAll('\n', ' ')
        .trim(),
    };
  });
}

/** For a class, its name and what it extends; for anything else, its name and type. */
function declarationOf(node: ts.Node, { name }: ts.Symbol, checker: ts.TypeChecker): string {
  if (ts.isClassDeclaration(node)) return ['class', name, ...(node.heritageClauses ?? []).map((each) => each.getText())].join(' ');
  if (ts.isVariableDeclaration(node) && node.type !== undefined) return `${name}: ${node.type.getText()}`;
  const type = checker.getTypeAtLocation(node);
  const [signature] = ts.isFunctionDeclaration(node) ? type.getCallSignatures() : [];
  return signature === undefined
    ? `${name}: ${checker.typeToString(type, node, ts.TypeFormatFlags.NoTruncation)}`
    : `${name}${checker.signatureToString(signature, node, ts.TypeFormatFlags.NoTruncation)}`;
}
