import { join } from 'node:path';
import ts from 'typescript';

const place = join(__dirname, '..', '..', 'shared', 'records', 'snippet.ts');

/** What the compiler says about a text placed next to the records. */
function complaints(body: string): string[] {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ESNext,
    lib: ['lib.es2024.d.ts'],
    module: ts.ModuleKind.Preserve,
    allowImportingTsExtensions: true,
    types: [],
    skipLibCheck: true,
  };
  const host = ts.createCompilerHost(options);
  const text = `import type { BookingRecord, RecordOf } from './fields.ts';\ndeclare const record: BookingRecord;\n${body}\nexport {};`;
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (file, target) => (file === place ? ts.createSourceFile(file, text, target) : read(file, target));
  const program = ts.createProgram([place], options, host);
  return program
    .getSemanticDiagnostics(program.getSourceFile(place))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

it('a misspelt field of a record does not compile, and a correct one does', () => {
  expect(complaints('record.invitee_email; record["start_time"]; const { status } = record; record.id.length; status;')).toEqual([]);
  expect(complaints('record.invitee_emial;')).toEqual([expect.stringContaining("'invitee_emial' does not exist")]);
  expect(complaints('record["invitee_emial"];')).toEqual([expect.stringContaining('invitee_emial')]);
  expect(complaints('const { invitee_emial } = record; invitee_emial;')).toEqual([
    expect.stringContaining("'invitee_emial' does not exist"),
  ]);
  expect(complaints('declare const contact: RecordOf["contact"]; contact.invitee_email;')).toEqual([
    expect.stringContaining("'invitee_email' does not exist"),
  ]);
});

it('a value of a record has to be parsed before it is used, and none can be changed', () => {
  expect(complaints('const name: string = record.invitee_name; name;')).toEqual([
    expect.stringContaining("'unknown' is not assignable to type 'string'"),
  ]);
  expect(complaints('record.id = "other";')).toEqual([expect.stringContaining('read-only')]);
});
