import { join } from 'node:path';
import ts from 'typescript';

const place = join(__dirname, '..', '..', 'sdk', 'snippet.ts');
const options: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  target: ts.ScriptTarget.ESNext,
  lib: ['lib.es2024.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  module: ts.ModuleKind.Preserve,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  allowImportingTsExtensions: true,
  exactOptionalPropertyTypes: true,
  resolveJsonModule: true,
  types: [],
  skipLibCheck: true,
};
const host = ts.createCompilerHost(options);
const read = host.getSourceFile.bind(host);
const known = new Map<string, ts.SourceFile | undefined>();

/** What the compiler says about a text placed next to the package's entries. */
export function complaintsOf(text: string): string[] {
  host.getSourceFile = (file, target) => {
    if (file === place) return ts.createSourceFile(file, `${text}\nexport {};`, target);
    if (!known.has(file)) known.set(file, read(file, target));
    return known.get(file);
  };
  const program = ts.createProgram([place], options, host);
  return program
    .getSemanticDiagnostics(program.getSourceFile(place))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}
