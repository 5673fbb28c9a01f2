import ts from 'typescript';

/** One of the two files into which a module was parted. */
interface Part {
  text: string;
  /** The exports of the module that it has. */
  exports: ReadonlySet<string>;
}

export const importing = (names: readonly string[], from: string): string =>
  names.length === 0 ? '' : `import {\n  ${names.join(',\n  ')}\n} from "./${from}.js";\n`;

/**
 * Parts a module whose statements only declare values: `core.js` gets what these exports need, and `more.js` the rest, which imports from it.
 *
 * @param file as esbuild wrote it
 */
export function parted(file: string, wanted: ReadonlySet<string>): Record<'core' | 'more', Part> {
  const program = ts.createProgram([file], { allowJs: true, noLib: true, noResolve: true, types: [], target: ts.ScriptTarget.ES2022 });
  const [source, checker] = [program.getSourceFile(file), program.getTypeChecker()];
  if (source === undefined) throw new Error(`${file} is gone.`);
  const exported = source.statements
    .filter(ts.isExportDeclaration)
    .flatMap(({ exportClause }) => (exportClause !== undefined && ts.isNamedExports(exportClause) ? [...exportClause.elements] : []))
    .map(({ name, propertyName }) => ({ name: name.text, local: (propertyName ?? name).text }));
  const imports = source.statements.filter(ts.isImportDeclaration).map((each) => each.getText());
  const statements = source.statements.filter((each) => !ts.isExportDeclaration(each) && !ts.isImportDeclaration(each));

  const owners = new Map<ts.Symbol, ts.Statement>();
  for (const statement of statements)
    for (const { name } of ts.isVariableStatement(statement)
      ? statement.declarationList.declarations
      : [statement as ts.FunctionDeclaration]) {
      const symbol = name && checker.getSymbolAtLocation(name);
      if (symbol === undefined) throw new Error(`What does this declare? ${statement.getText().slice(0, 80)}`);
      owners.set(symbol, statement);
    }
  const ownerOf = new Map([...owners].map(([{ name }, statement]) => [name, statement]));

  /** The values that each statement uses; and, with a value that others change, the statements that do: an import cannot be changed. */
  const uses = new Map(statements.map((statement) => [statement, { names: new Set<string>(), changing: new Set<ts.Statement>() }]));
  for (const statement of statements) {
    const look = (node: ts.Node): void => {
      const { parent } = node;
      if (ts.isIdentifier(node) && !(ts.isPropertyAccessExpression(parent) && parent.name === node)) {
        const isShort = ts.isShorthandPropertyAssignment(parent);
        const symbol = isShort ? checker.getShorthandAssignmentValueSymbol(parent) : checker.getSymbolAtLocation(node);
        const owner = symbol && owners.get(symbol);
        if (symbol !== undefined && owner !== undefined) {
          uses.get(statement)?.names.add(symbol.name);
          const operator = ts.isBinaryExpression(parent) && parent.left === node ? parent.operatorToken.kind : ts.SyntaxKind.Unknown;
          const isSet = operator >= ts.SyntaxKind.FirstAssignment && operator <= ts.SyntaxKind.LastAssignment;
          if (isSet || ts.isPostfixUnaryExpression(parent) || ts.isPrefixUnaryExpression(parent)) uses.get(owner)?.changing.add(statement);
        }
      }
      ts.forEachChild(node, look);
    };
    look(statement);
  }
  const first = new Set(exported.filter(({ name }) => wanted.has(name)).flatMap(({ local }) => ownerOf.get(local) ?? []));
  for (const statement of first) {
    const { names = [], changing = [] } = uses.get(statement) ?? {};
    for (const each of [...changing, ...[...names].flatMap((name) => ownerOf.get(name) ?? [])]) first.add(each);
  }

  const isFirst = (local: string): boolean => first.has(ownerOf.get(local) as ts.Statement);
  const others = statements.filter((each) => !first.has(each));
  const between = [...new Set(others.flatMap((each) => [...(uses.get(each)?.names ?? [])]))].filter(isFirst);
  const part = (those: readonly ts.Statement[], has: boolean, passed: readonly string[], from = ''): Part => {
    // The bundler names the file of each part, which is gone.
    const body = those
      .map((each) =>
        each
          .getFullText()
          .trimStart()
          .replace(/^\/\/ core-\w+\.js\n/, ''),
      )
      .join('\n');
    const own = exported.filter(({ local }) => isFirst(local) === has);
    const all = [...own.map(({ name, local }) => `${local} as ${name}`), ...passed.map((local) => `${local} as ${local}$`)];
    const text = `${imports.join('\n')}\n${from}${body}\nexport {\n  ${all.join(',\n  ')}\n};\n`;
    return { text, exports: new Set(own.map(({ name }) => name)) };
  };
  const passing = importing(
    between.map((local) => `${local}$ as ${local}`),
    'core',
  );
  return {
    core: part(
      statements.filter((each) => first.has(each)),
      true,
      between,
    ),
    more: part(others, false, [], passing),
  };
}
