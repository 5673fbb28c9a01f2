import type { Accepted } from '../report.ts';

const program = 'What connects the command line to its process. Tests that start the installed program notice it; they do not judge here.';
const compiler = 'A guard that only the compiler needs: the value is always there.';
const empty = 'An empty list that is given one strange text: nobody has a field or a record of that name.';

export const accepted: readonly Accepted[] = [
  {
    file: 'sdk/cli/main.ts',
    code: "() => over.abort(new Error('Stopped. Nothing was changed.'))",
    instead: '() => undefined',
    why: program,
  },
  { file: 'sdk/cli/main.ts', code: 'process.argv.slice(2)', instead: 'process.argv', why: program },
  { file: 'sdk/cli/main.ts', code: '(text) => void process.stdout.write(`${text}\\n`)', instead: '() => undefined', why: program },
  { file: 'sdk/cli/main.ts', code: '(text) => void process.stderr.write(`${text}\\n`)', instead: '() => undefined', why: program },
  { file: 'sdk/cli/main.ts', code: '(code) => (process.exitCode = code)', instead: '() => undefined', why: program },
  { file: 'sdk/cli/run.ts', code: 'throw new Misuse(`There is no ${command.group} ${command.verb}.`);', instead: ';', why: compiler },
  { file: 'sdk/cli/run.ts', code: 'call === undefined', instead: 'false', why: compiler },
  {
    file: 'sdk/cli/run.ts',
    code: 'clientFor(settings, common.timeZone)[group]?.[method]',
    instead: 'clientFor(settings, common.timeZone)[group][method]',
    why: compiler,
  },
  { file: 'sdk/cli/read.ts', code: "typeof limit === 'string'", instead: 'true', why: compiler },
  { file: 'sdk/cli/read.ts', code: "typeof timeZone === 'string'", instead: 'true', why: compiler },
  { file: 'sdk/cli/help.ts', code: 'choices?.[0]?.value', instead: 'choices?.[0].value', why: compiler },
  {
    file: 'sdk/cli/commands.ts',
    code: 'one.slice(0, 80)',
    instead: 'one',
    why: 'A word that is longer than any name is like none of them; the rest of it is only not compared.',
  },
  { file: 'sdk/cli/print.ts', code: '[]', instead: '["Stryker was here"]', why: empty },
  { file: 'sdk/changes/poller.ts', code: 'signal?.reason', instead: 'signal.reason', why: compiler },
  { file: 'sdk/changes/poller.ts', code: 'handler === undefined', instead: 'false', why: 'Only events with a handler are looked for.' },
  { file: 'sdk/changes/poller.ts', code: '[]', instead: '["Stryker was here"]', why: empty },
  {
    file: 'sdk/changes/poller.ts',
    code: 'untaken.length === 0',
    instead: 'false',
    why: 'Leaving out no changes gives the same state; it only takes longer.',
  },
  {
    file: 'sdk/changes/sha256.ts',
    code: 'index < 64',
    instead: 'index <= 64',
    why: 'A word outside of the array is not kept, and none of the first 64 depends on it.',
  },
  { file: 'sdk/stores/claims.ts', code: 'oldest !== undefined', instead: 'true', why: compiler },
  { file: 'sdk/stores/acting.ts', code: 'mine[at]?.[how]', instead: 'mine[at][how]', why: compiler },
  ...['done', 'kept'].map((value) => ({
    file: 'sdk/stores/acting.ts',
    code: `isLate(${value})`,
    instead: 'true',
    why: 'Awaiting a value that is there only costs a turn.',
  })),
  {
    file: 'sdk/stores/knownChanges.ts',
    code: 'known !== undefined',
    instead: 'true',
    why: 'A field that is undefined is not stored.',
  },
  { file: 'sdk/stores/sql.ts', code: '() => false', instead: '() => undefined', why: 'The answer is only asked whether it is true.' },
  { file: 'sdk/stores/sqlite.ts', code: '{ timeout: 0 }', instead: '{}', why: 'Every driver answers this question with a row.' },
  {
    file: 'sdk/stores/sqlite.ts',
    code: '[]',
    instead: '["Stryker was here"]',
    why: 'Nobody reads the rows of a statement that has none.',
  },
  {
    file: 'sdk/node/prompt.ts',
    code: '(_chunk, _encoding, done) => done()',
    instead: '() => undefined',
    why: 'Nobody waits for what is not shown.',
  },
];
