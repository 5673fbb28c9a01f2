import * as z from 'zod/v4';
import { commands, commandsOf } from '../../sdk/cli/commands.ts';
import { helpOn, overview, program } from '../../sdk/cli/help.ts';
import { defineOne, field } from '../../shared/operations/define.ts';
import { getContact } from '../../shared/operations/index.ts';

const plain = (text: string): string => text.replace(/\s+/g, ' ');

/** Two columns: the second continues below its own beginning, and each line holds as many words as fit. */
function expectColumns(text: string): void {
  let column = 0;
  const lines = text.split('\n');
  lines.forEach((line, at) => {
    const row = /^ {2}(?:\S+ )*\S+ {2,}(?=\S)/.exec(line);
    const indent = /^ */.exec(line)?.[0].length ?? 0;
    if (row !== null) column = row[0].length;
    else if (indent > 2) expect(indent).toBe(column);
    const next = lines[at + 1] ?? '';
    const continues = /^ {3,}(\S+)/.exec(next)?.[1];
    expect(line.length).toBeLessThanOrEqual(100);
    if (continues !== undefined) expect(line.length + 1 + continues.length).toBeGreaterThan(100);
  });
}

test('the overview names every command with what it does, and every variable', () => {
  const text = overview();
  expectColumns(text);
  expect(commands.length).toBeGreaterThan(10);
  for (const { group, verb, operation } of commands) expect(plain(text)).toContain(` ${group} ${verb} ${operation.description} `);
  for (const words of [
    `${program} login connects an account: opens the consent page`,
    `${program} logout revokes and deletes the connection`,
    `${program} listen --port <port> receives deliveries on this machine, verifies them and prints them`,
    'SCHEDULING_ACCESS_TOKEN used instead of a connection',
    'SCHEDULING_CLIENT_SECRET the same',
    'SCHEDULING_FOLDER where the connection is kept, in a file that only you can read',
    'Permissions that login asks for: bookings:read bookings:write',
  ])
    expect(plain(text)).toContain(words);
  const own = ['connects an account', 'revokes and deletes', 'receives deliveries'].map((words) =>
    text
      .split('\n')
      .map((line) => line.indexOf(words))
      .find((at) => at >= 0),
  );
  expect(own).toEqual([own[0], own[0], own[0]]);
  // Of the commands, all words begin in one column.
  const places = text.split('\n').filter((line) => /^ {2}(bookings|contacts|users) /.test(line) && !line.startsWith(`  ${program} `));
  expect(new Set(places.map((line) => /^ {2}\S+ \S+ +/.exec(line)?.[0].length)).size).toBe(1);
});

test('the help of a command names its options, and how it is called', () => {
  for (const command of commands) expectColumns(helpOn(command).split('\n\nExample:')[0] ?? '');
  const text = (help: string, more: object = {}) => field(z.string(), { label: 'A Label', help, control: 'text', ...more });
  const [command] = commandsOf([
    defineOne({
      ...getContact,
      resource: 'contact',
      name: 'mergeInto',
      description: 'Merges',
      input: {
        first_id: text('', { example: 'con_1' }),
        size: field(z.enum(['SMALL', 'LARGE']), {
          label: 'Size',
          help: 'How large',
          control: 'choice',
          choices: [
            { label: 'S', value: 'SMALL' },
            { label: 'L', value: 'LARGE' },
          ],
        }),
        answers: field(z.record(z.string(), z.string()), { label: 'Answers', help: 'What they said', control: 'answers' }),
        full_name: text('The whole name', { example: 'Ada Lovelace' }),
        quote: text('Said', { example: 'so "it" is' }),
        other: text('Anything else'),
        left_out: field(z.string().optional(), { label: 'Left Out', help: 'Not needed', control: 'text', example: 'x' }),
      },
      run: async () => ({ id: 'con_1' }),
    }),
  ]);
  if (command === undefined) throw new Error('There is no command.');
  expect(helpOn(command)).toBe(`${program} contacts merge-into: Merges

  --first-id   A Label (required)
  --size       How large (required). One of SMALL, LARGE
  --answers    What they said (required)
  --full-name  The whole name (required)
  --quote      Said (required)
  --other      Anything else (required)
  --left-out   Not needed

Example:
  ${program} contacts merge-into --first-id con_1 --size SMALL --answers '{}' --full-name 'Ada Lovelace' --quote 'so "it" is' --other <other>`);
});

test('a line has at most 100 characters', () => {
  const helped = (letters: number): string | undefined => {
    const description = `${'x'.repeat(letters - program.length - ' contacts get: '.length - ' end'.length)} end`;
    return commandsOf([{ ...getContact, description, input: {} }])
      .map(helpOn)[0]
      ?.split('\n')[0];
  };
  expect(helped(100)).toHaveLength(100);
  expect(helped(101)).toHaveLength(101 - ' end'.length);
});

test('a command without options, or with optional ones alone, says how it is called as well', () => {
  const helpOf = (group: string, verb: string): string => {
    const command = commands.find((each) => each.group === group && each.verb === verb);
    return command === undefined ? '' : helpOn(command);
  };
  expect(helpOf('users', 'current')).toBe(`${program} users current: Gets the connected user\n\nExample:\n  ${program} users current`);
  // Of optional ones, the first is shown.
  expect(helpOf('bookings', 'list')).toMatch(/Example:\n {2}\S+ bookings list --status CONFIRMED$/);
});
