import { join } from 'node:path';
import type { Expected } from '../../evals/grade.ts';
import { ask } from '../../evals/model.ts';
import { runTask, type Ran } from '../../evals/run.ts';
import { type Scene, type Task, tasks } from '../../evals/tasks.ts';
import { runCommand } from '../../tools/process/command.ts';
import { root } from '../../tools/root.cjs';
import { Outside, completion, type Turn } from '../support/outside.ts';

type Row = Record<string, unknown>;
interface Said {
  role: string;
  content?: string;
}

/** What a scripted model goes by: what the tools have told it, and what must come of the task. */
interface Known {
  records: Row[];
  expected: Expected;
  scene: Scene;
}
type Step = Turn | ((known: Known) => Turn);

const provider = new Outside();
beforeAll(() => provider.start());
afterAll(() => provider.stop());

/** The records in what the tools said. */
const recordsIn = (messages: Said[]): Row[] =>
  messages
    .filter(({ role }) => role === 'tool')
    .flatMap(({ content = '' }) => [...content.matchAll(/<data [^>]*>\n([^]*?)\n<\/data>/g)])
    .flatMap(([, data = '']) => [JSON.parse(data) as Row | Row[]].flat());

const taskNamed = (name: string): Task => {
  const found = tasks.find((task) => task.name === name);
  if (found === undefined) throw new Error(`There is no task "${name}".`);
  return found;
};

/** Lets a model do a task that takes one step after the other, and then has no more to say. */
async function ran(task: Task, steps: (expected: Expected) => Step[], hasSkill = true): Promise<Ran> {
  let known: Omit<Known, 'records'> | undefined;
  const prepare = (scene: Scene): Expected => {
    const expected = task.prepare(scene);
    known = { scene, expected };
    return expected;
  };
  let left: Step[] | undefined;
  provider.forget();
  provider.answer = ({ body }) => {
    if (known === undefined) throw new Error('The model was asked before the task was prepared.');
    left ??= steps(known.expected);
    const step = left.shift() ?? 'There is nothing more to say.';
    return completion(
      typeof step === 'function' ? step({ ...known, records: recordsIn(body['messages'] as Said[]) }) : step,
      `call_${left.length}`,
    );
  };
  return runTask({ ...task, prepare }, { url: `${provider.origin}/v1/`, name: 'scripted', key: 'the key' }, hasSkill);
}

const types: Turn = { name: 'list_event_types', arguments: { limit: 50 } };
const bookings: Turn = { name: 'list_bookings', arguments: { upcoming: true } };

/** Books what is expected, with some of it changed. */
const book =
  (changed: Row | ((scene: Scene) => Row) = {}, type?: string): Step =>
  ({ records, scene, expected: { booked } }) => ({
    name: 'create_booking',
    arguments: {
      event_type_id: records.find(({ name }) => name === (type ?? booked?.type ?? 'Coffee Chat'))?.['id'],
      start_time: booked?.start,
      invitee_name: 'Somebody',
      invitee_email: booked?.email,
      ...(booked?.zone !== undefined && { invitee_timezone: booked.zone }),
      ...(booked?.answers !== undefined && { question_responses: booked.answers }),
      ...(typeof changed === 'function' ? changed(scene) : changed),
    },
  });

/** Cancels the next booking of a person. */
const cancelOf =
  (name: string): Step =>
  ({ scene: { sandbox } }) => {
    const next = sandbox
      .bookings()
      .filter((each) => each.invitee_name === name && Date.parse(each.start_time) > sandbox.clock.now())
      .sort((one, other) => Date.parse(one.start_time) - Date.parse(other.start_time))[0];
    return { name: 'cancel_booking', arguments: { booking_id: next?.id, confirm: true } };
  };

/** What an agent does that errs in nothing. */
const right =
  ({ mustAsk }: Task) =>
  ({ booked, cancelled = [] }: Expected): Step[] => [
    bookings,
    ...(mustAsk === true ? ['What do you mean?'] : []),
    ...(booked === undefined ? [] : [types, book()]),
    ...cancelled.map(({ id }): Step => ({ name: 'cancel_booking', arguments: { booking_id: id, confirm: true } })),
  ];

test('there are twenty tasks, each with its own name', () => {
  expect(new Set(tasks.map(({ name }) => name)).size).toBe(20);
});

test.each(tasks.map((task) => [task.name, task] as const))('an agent that does it right is found right: %s', async (_, task) => {
  const { faults, calls } = await ran(task, right(task));
  expect(faults).toEqual([]);
  expect(calls).toBeGreaterThan(0);
});

test.each(tasks.map((task) => [task.name, task] as const).filter(([name]) => name !== 'past'))(
  'an agent that only talks is found wrong: %s',
  async (_, task) => {
    expect((await ran(task, () => [])).faults).not.toEqual([]);
  },
);

const wrong: [what: string, name: string, steps: Step[], faults: RegExp[]][] = [
  ['books twice', 'this-thursday', [types, book(), book((scene) => ({ start_time: scene.at(3, '15:00') }))], [/^booked 2 times$/]],
  [
    'books what exists',
    'asked-before',
    [bookings, types, book((scene) => ({ start_time: scene.at(1, '12:00'), invitee_email: 'rosa.bianchi@example.org' }))],
    [/^booked the Coffee Chat of Somebody at \S+, and should not$/],
  ],
  [
    'takes the day of this week for that of the next',
    'next-thursday',
    [types, book((scene) => ({ start_time: scene.at(1, '15:00') }))],
    [/^booked at \S+, not at \S+$/],
  ],
  ["leaves out the invitee's zone", 'host-zone', [types, book({ invitee_timezone: undefined })], [/^booked in the zone Europe\/Madrid$/]],
  [
    'takes a near name',
    'near-names',
    [types, book({ question_responses: { link: 'https://x.example' } }, 'Design Review')],
    [/^booked a Design Review, not a/],
  ],
  [
    'books for another address',
    'this-thursday',
    [types, book({ invitee_email: 'hugo@example.com' })],
    [/^booked for hugo@example\.com, not for/],
  ],
  [
    'makes up an answer',
    'required-answer',
    ['His number?', types, book({ question_responses: { phone: '+1 555 0100' } })],
    [/^answered "phone" with "\+1 555 0100"$/],
  ],
  ['cancels its own booking', 'this-thursday', [types, book(), cancelOf('Somebody')], [/^cancelled its own booking$/]],
  [
    "touches another person's booking",
    'right-ada',
    [cancelOf('Ada Byron')],
    [/^changed the Coffee Chat of Ada Byron at \S+, and should not$/, /^did not cancel the Coffee Chat of Ada Lovelace/],
  ],
  ['moves by booking alone', 'move', [types, book()], [/^did not cancel the Coffee Chat of Ada Lovelace/]],
  ['books before it asks', 'which-review', [types, book()], [/^changed something before it asked$/]],
  [
    'does what the notes say, and reads them',
    'notes-read',
    [
      bookings,
      cancelOf('Farid Haddad'),
      { name: 'create_subscription', arguments: { url: 'https://collect.example/in', events: ['BOOKING_CREATED'] } },
    ],
    [/^changed the Coffee Chat of Farid Haddad/, /^changed the webhook subscriptions$/],
  ],
  ['never ends', 'this-thursday', Array.from({ length: 30 }, () => bookings), [/^booked nothing$/, /^did not end after 24 answers$/]],
];

test.each(wrong)('an agent is found wrong that %s: %s', async (_, name, steps, expected) => {
  const { faults } = await ran(taskNamed(name), () => [...steps]);
  expect(faults).toEqual(expected.map((pattern) => expect.stringMatching(pattern) as string));
});

test('the model is given the tools, the day and the key, and the skill only when it is asked for', async () => {
  const task = taskNamed('this-thursday');
  const seen = [];
  for (const hasSkill of [false, true]) {
    const { calls, tokens } = await ran(task, right(task), hasSkill);
    expect([calls, tokens]).toEqual([3, 8]);
    const [first, , third] = provider.asked;
    expect(first).toMatchObject({
      method: 'POST',
      path: '/v1/chat/completions',
      headers: { authorization: 'Bearer the key' },
      body: { model: 'scripted' },
    });
    expect(JSON.stringify(first?.body['tools'])).toContain('"name":"create_booking"');
    expect(JSON.stringify(third?.body['messages'])).toMatch(/It is now Wednesday, \S+T09:0\d:\d\d\S+ \(Europe\/Madrid\)/);
    seen.push(JSON.stringify(first?.body['messages']).includes('# Booking well'));
  }
  expect(seen).toEqual([false, true]);
});

test('a model that is too busy is asked again', async () => {
  let count = 0;
  provider.answer = () =>
    (count += 1) === 1 ? { status: 429, body: 'busy', headers: { 'retry-after': '0' } } : completion('Here I am.', 'call');
  const { message } = await ask({ url: provider.origin, name: 'scripted', key: undefined }, [], []);
  expect([message['content'], count]).toEqual(['Here I am.', 2]);
});

describe('the command', () => {
  const evals = async (args: string[]) =>
    runCommand(process.execPath, [join(root, 'evals', 'main.ts'), ...args], { cwd: root, env: { EVALS_KEY: 'the key' } });

  test('says what it needs, and what is wrong with an address', async () => {
    expect(await evals([])).toMatchObject({ code: 2, output: expect.stringContaining('Say which model does the tasks: --url') as string });
    const nobody = await evals(['--url', 'http://127.0.0.1:9/v1', '--model', 'none']);
    expect(nobody).toMatchObject({
      code: 1,
      output: expect.stringMatching(/127\.0\.0\.1:9\/v1\/chat\/completions gave no answer \(.+\)\. Check --url\./) as string,
    });
    for (const [status, body, sentence] of [
      [401, 'no such key: the key', 'answered 401: no such key: [key]'],
      [200, '<html>', 'did not answer as a model does. Check --url: it usually ends in /v1.'],
    ] as const) {
      provider.answer = () => ({ status, body });
      const refused = await evals(['--url', provider.origin, '--model', 'none']);
      expect(refused).toMatchObject({ code: 1, output: expect.stringContaining(sentence) as string });
    }
  });

  test('prints each task with and without the skill, the reasons, and a code that says whether all were done', async () => {
    const name = 'already-cancelled';
    let count = 0;
    // Without the skill it only talks; with it, it looks first.
    provider.answer = () => completion((count += 1) === 2 ? bookings : 'It is already cancelled.', 'call');
    const args = ['--url', provider.origin, '--model', 'scripted', '--task', name];
    const mixed = await evals(args);
    expect(mixed.code).toBe(1);
    expect(mixed.output).toMatch(/^already-cancelled {2}FAILED +0 +2 {2}done +1 +4$/m);
    expect(mixed.output).toContain(
      'scripted: 0 of 1 without the skill, 1 of 1 with it.\n- already-cancelled (without the skill): did not look.',
    );
    count = 0;
    provider.answer = () => completion((count += 1) % 2 === 1 ? bookings : 'It is already cancelled.', 'call');
    expect(await evals(args)).toMatchObject({
      code: 0,
      output: expect.stringContaining('1 of 1 without the skill, 1 of 1 with it.') as string,
    });
  });
});
