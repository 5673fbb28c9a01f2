import type { Accepted } from '../report.ts';

export const accepted: readonly Accepted[] = [
  {
    why: 'What connects the command line to its process. Tests that start the installed program notice it; they do not judge here.',
    changes: {
      'sdk/cli/main.ts': [
        ["() => over.abort(new Error('Stopped. Nothing was changed.'))", '() => undefined'],
        ['process.argv.slice(2)', 'process.argv'],
        ['(text) => void process.stdout.write(`${text}\\n`)', '() => undefined'],
        ['(text) => void process.stderr.write(`${text}\\n`)', '() => undefined'],
        ['(code) => (process.exitCode = code)', '() => undefined'],
      ],
    },
  },
  {
    why: 'A guard that only the compiler needs: the value is always there.',
    changes: {
      'sdk/cli/run.ts': [
        ['throw new Misuse(`There is no ${command.group} ${command.verb}.`);', ';'],
        ['call === undefined', 'false'],
        ['clientFor(settings, common.timeZone)[group]?.[method]', 'clientFor(settings, common.timeZone)[group][method]'],
      ],
      'sdk/cli/read.ts': [
        ["typeof limit === 'string'", 'true'],
        ["typeof timeZone === 'string'", 'true'],
      ],
      'sdk/cli/help.ts': [['choices?.[0]?.value', 'choices?.[0].value']],
      'sdk/changes/poller.ts': [['signal?.reason', 'signal.reason']],
      'sdk/stores/claims.ts': [['oldest !== undefined', 'true']],
    },
  },
  {
    why: 'A word that is longer than any name is like none of them; the rest of it is only not compared.',
    changes: { 'sdk/cli/commands.ts': [['one.slice(0, 80)', 'one']] },
  },
  {
    why: 'An empty list that is given one strange text: nobody has a field or a record of that name.',
    changes: { 'sdk/cli/print.ts': [['[]', '["Stryker was here"]']], 'sdk/changes/poller.ts': [['[]', '["Stryker was here"]']] },
  },
  { why: 'Only events with a handler are looked for.', changes: { 'sdk/changes/poller.ts': [['handler === undefined', 'false']] } },
  {
    why: 'Leaving out no changes gives the same state; it only takes longer.',
    changes: { 'sdk/changes/poller.ts': [['untaken.length === 0', 'false']] },
  },
  {
    why: 'A word outside of the array is not kept, and none of the first 64 depends on it.',
    changes: { 'sdk/changes/sha256.ts': [['index < 64', 'index <= 64']] },
  },
  { why: 'A field that is undefined is not stored.', changes: { 'sdk/stores/knownChanges.ts': [['known !== undefined', 'true']] } },
  { why: 'The answer is only asked whether it is true.', changes: { 'sdk/stores/sql.ts': [['() => false', '() => undefined']] } },
  { why: 'Every driver answers this question with a row.', changes: { 'sdk/stores/sqlite.ts': [['{ timeout: 0 }', '{}']] } },
  { why: 'Nobody reads the rows of a statement that has none.', changes: { 'sdk/stores/sqlite.ts': [['[]', '["Stryker was here"]']] } },
  {
    why: 'Nobody waits for what is not shown.',
    changes: { 'sdk/node/prompt.ts': [['(_chunk, _encoding, done) => done()', '() => undefined']] },
  },
  { why: 'A header that came has a value.', changes: { 'sdk/node/answer.ts': [['first !== undefined', 'true']] } },
];
