import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from '../../tools/root.cjs';

const collections = new Set(['Map', 'Set', 'WeakMap', 'WeakSet']);
const changing = new Set(['set', 'add', 'delete', 'clear', 'push', 'unshift', 'splice', 'shift', 'pop']);
/** Objects that stay the same, however often they are used. */
const unchanging = /^(RegExp|URL|Intl\.\w+|Date|TextEncoder|TextDecoder|Response|Proxy|.*Error)$/;

/** Objects that write to places that outlive the process, by the names that the code calls. */
const stores: [name: string, called: RegExp][] = [
  ['files', /^(writeFile|writeFileSync|appendFile|appendFileSync|createWriteStream|openSync|mkdtemp|mkdtempSync)$/],
  ['getWorkflowStaticData', /^getWorkflowStaticData$/],
  ['DatabaseSync', /^DatabaseSync$/],
];

/**
 * Every place in a source that can remember something, by its name in the code: variables of a module, fields of its classes that change,
 * variables that a function keeps for the functions it returns, and the stores that it writes to (`z.cache`, `files` and so on). A value
 * that never changes after it was created does not count.
 */
export function memoriesIn(file: string, text = readFileSync(join(root, file), 'utf8')): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found = new Set<string>();
  const look = (node: ts.Node): void => {
    if (ts.isVariableStatement(node) && node.parent === source)
      node.declarationList.declarations.filter((each) => remembers(each, source)).forEach(({ name }) => found.add(name.getText()));
    if (ts.isClassLike(node)) inFields(node).forEach((name) => found.add(name));
    if (ts.isFunctionLike(node)) handedOut(node).forEach((name) => found.add(name));
    if (ts.isPropertyAccessExpression(node) && /^z\.(cache|cursor|store)$/.test(node.getText())) found.add(node.getText());
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const called = ts.isPropertyAccessExpression(node.expression) ? node.expression.name.text : node.expression.getText();
      for (const [name, pattern] of stores) if (pattern.test(called)) found.add(name);
    }
    ts.forEachChild(node, look);
  };
  look(source);
  return [...found].sort();
}

/** A module variable: a `let`, a collection that something changes, or an object that may have a memory of its own. */
function remembers({ name, initializer, parent }: ts.VariableDeclaration, source: ts.SourceFile): boolean {
  if (!(parent.flags & ts.NodeFlags.Const)) return true;
  if (initializer === undefined) return false;
  const value = plain(initializer);
  if (ts.isNewExpression(value) && !collections.has(value.expression.getText())) return !unchanging.test(value.expression.getText());
  return isList(value) && isChanged(name.getText(), source);
}

/** `Class.field` for each collection of a class, and `Class` if any other of its fields changes. */
function inFields(node: ts.ClassLikeDeclaration): string[] {
  const owner = node.name?.text ?? 'class';
  return node.members.filter(ts.isPropertyDeclaration).flatMap(({ modifiers, name, initializer }) => {
    const own = `this.${name.getText()}`;
    if (initializer !== undefined && isList(plain(initializer)) && isChanged(own, node)) return [`${owner}.${name.getText()}`];
    const isFixed = modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ReadonlyKeyword || kind === ts.SyntaxKind.DeclareKeyword) ?? false;
    return !isFixed && isAssigned(own, node) ? [owner] : [];
  });
}

/** Variables of a function that can change and that a returned function uses. They live as long as that returned function. */
function handedOut(node: ts.SignatureDeclaration): string[] {
  const body = (node as Partial<ts.FunctionLikeDeclaration>).body;
  if (body === undefined) return [];
  const own: string[] = [];
  const returned: ts.Node[] = ts.isBlock(body) ? [] : [body];
  const look = (each: ts.Node): void => {
    if (ts.isFunctionLike(each) || ts.isClassLike(each)) return;
    if (ts.isReturnStatement(each) && each.expression) returned.push(each.expression);
    if (ts.isVariableDeclaration(each) && ts.isVariableStatement(each.parent.parent)) {
      const isLet = !(each.parent.flags & ts.NodeFlags.Const);
      const name = each.name.getText();
      if (isLet || (each.initializer && isList(plain(each.initializer)) && isChanged(name, body))) own.push(name);
    }
    ts.forEachChild(each, look);
  };
  ts.forEachChild(body, look);
  // A function that is returned by its name was declared here.
  const inner = ts.isBlock(body) ? body.statements.filter(ts.isFunctionDeclaration) : [];
  const handed = [...returned, ...inner.filter(({ name }) => name !== undefined && returned.some((each) => mentions(each, name.text)))];
  return own.filter((name) => handed.some((each) => usedInside(name, each)));
}

function isList(value: ts.Expression): boolean {
  return (
    ts.isArrayLiteralExpression(value) ||
    ts.isObjectLiteralExpression(value) ||
    (ts.isNewExpression(value) && collections.has(value.expression.getText()))
  );
}

/** Whether an inner function uses the name. */
function usedInside(name: string, node: ts.Node, inside = false): boolean {
  if (inside && ts.isIdentifier(node) && node.text === name) return true;
  return ts.forEachChild(node, (child) => usedInside(name, child, inside || ts.isFunctionLike(node)) || undefined) ?? false;
}

const mentions = (node: ts.Node, name: string): boolean => usedInside(name, node, true);

const isChanged = (name: string, within: ts.Node): boolean =>
  some(within, (node) => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression))
      return node.expression.expression.getText() === name && changing.has(node.expression.name.text);
    return (
      isAssignment(node) &&
      (ts.isElementAccessExpression(node.left) || ts.isPropertyAccessExpression(node.left)) &&
      node.left.expression.getText() === name
    );
  }) ||
  (name.startsWith('this.') && isAssigned(name, within));

const isAssigned = (name: string, within: ts.Node): boolean =>
  some(
    within,
    (node) =>
      (isAssignment(node) && node.left.getText() === name) ||
      ((ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) && node.operand.getText() === name),
  );

const isAssignment = (node: ts.Node): node is ts.BinaryExpression =>
  ts.isBinaryExpression(node) &&
  node.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
  node.operatorToken.kind <= ts.SyntaxKind.LastAssignment;

function some(node: ts.Node, judge: (node: ts.Node) => boolean): boolean {
  return judge(node) || (ts.forEachChild(node, (child) => some(child, judge) || undefined) ?? false);
}

/** The expression without `as`, `satisfies` and brackets. */
function plain(expression: ts.Expression): ts.Expression {
  return ts.isAsExpression(expression) || ts.isSatisfiesExpression(expression) || ts.isParenthesizedExpression(expression)
    ? plain(expression.expression)
    : expression;
}
