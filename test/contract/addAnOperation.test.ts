import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '../../tools/process/command.ts';
import { copyOfSources } from '../support/copyOfSources.ts';

// Two busy processors are slow, and this test is not about time.
jest.setTimeout(60 * 60_000);

let folder: string;
beforeAll(async () => void (folder = await copyOfSources()));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Inserts text before the first occurrence of a mark. */
async function putBefore(file: string, mark: string, text: string): Promise<void> {
  const path = join(folder, file);
  const before = await readFile(path, 'utf8');
  // The mark may have moved. Then nothing would be added, and the test would prove nothing.
  expect([file, before.includes(mark)]).toEqual([file, true]);
  await writeFile(path, before.replace(mark, text + mark));
}

/**
 * Runs one of the copy's own programs.
 * @throws with its output if it fails
 */
async function run(program: string, ...words: string[]): Promise<string> {
  const { code, output } = await runCommand(process.execPath, [join(folder, program), ...words], {
    cwd: folder,
    env: { CONTRACT_PART: 'annotate|ANNOTATED|^write:' },
  });
  if (code !== 0) throw new Error(output.slice(-20_000));
  return output;
}

type Insertion = [mark: string, text: string];

/** One more operation, as CONTRIBUTING describes it, in each file that it needs: before which text what is added. */
const operation: Record<string, Insertion[]> = {
  'shared/operations/all.ts': [['export { findContact', "export { annotateBooking } from './booking/annotate.ts';\n"]],
  'shared/scopes.ts': [[' and cancel bookings', ', annotate']],
  'sandbox/scheduling.ts': [
    [
      '    reschedule(account',
      `    annotate(booking: Booking, notes: string): Booking {
      return commit(() => change(booking, { notes }, 'BOOKING_ANNOTATED'));
    },
`,
    ],
  ],
  'sandbox/routes/api.ts': [
    [
      '    cancelBooking(c) {',
      `    annotateBooking(c) {
      const booking = scheduling.annotate(named(c, store), parse(AnnotateInput, jsonBody(c)).notes);
      c.get('entry').committed = true;
      return c.json(present.single('booking', present.booking(booking)));
    },
`,
    ],
    ["CancelInput, ENDPOINTS } from '../openapi/endpoints.ts'", 'AnnotateInput, '],
  ],
  'sandbox/openapi/endpoints.ts': [
    ['export const ENDPOINTS:', 'export const AnnotateInput = z.strictObject({ notes });\n\n'],
    [
      "  list(['/event-types', 'listEventTypes'",
      `  endpoint('post', ['/bookings/{id}/annotate', 'annotateBooking', 'Annotate a booking', 'bookings:write', 'Bookings'], {
    body: { name: 'AnnotateInput', schema: AnnotateInput, required: true },
    answer: { status: 200, name: 'AnnotatedBooking', schema: single(Booking) },
    refusals: [400, 404],
  }),
`,
    ],
  ],
};
const declaration = 'shared/operations/booking/annotate.ts';

/** One more event, which no list shows. Its operation makes it happen. */
const event: Record<string, Insertion[]> = {
  'shared/events.ts': [
    [
      '} as const satisfies Record<string, Row>;',
      `  BOOKING_ANNOTATED: {
    ...ofBooking,
    description: 'Triggers when somebody annotates a booking',
    source: bookings,
    sample: booking,
  },
`,
    ],
  ],
  'sandbox/events.ts': [['} as const;\n\nexport type EventName', "  BOOKING_ANNOTATED: 'Somebody annotates a booking.',\n"]],
  'tools/docs/reference.ts': [['  CONTACT_CREATED: "Fires at', "  BOOKING_ANNOTATED: 'Fires for the same notes as well.',\n"]],
};

/** What holds for every operation and event, beside the contract. */
const suites = ['mcp/server', 'n8n/panels', 'sandbox/api', 'shared/changes', 'shared/declarations'].map((name) => `test/${name}.test.ts`);

it('one more operation and event need only the places that CONTRIBUTING names, and every platform keeps the contract', async () => {
  await cp(join(__dirname, 'addAnOperation', 'annotateBooking.ts.txt'), join(folder, declaration));
  for (const [file, insertions] of [operation, event].flatMap(Object.entries<Insertion[]>))
    for (const [mark, text] of insertions) await putBefore(file, mark, text);
  const sources = join(folder, 'tsconfig.sources.json');
  await writeFile(sources, JSON.stringify({ extends: './tsconfig.json', include: ['shared', 'zapier', 'n8n', 'mcp', 'sdk', 'sandbox'] }));
  await run('tools/commands/docs.ts');
  // Only what concerns them: the rest of the contract holds here as well.
  const works = [
    run('node_modules/jest/bin/jest.js', '-i', '--verbose', 'test/contract/quick', ...suites),
    run('node_modules/typescript-7/bin/tsc', '--pretty', 'false', '--project', sources),
    run('tools/commands/check.ts', "Zapier's schema"),
    // The other sources are as they were. CI checks them.
    run('node_modules/prettier/bin/prettier.cjs', '--check', declaration, ...Object.keys({ ...operation, ...event })),
  ];
  // Whatever fails, the copy is deleted only when nothing is using it any more.
  await Promise.allSettled(works);
  const [held] = await Promise.all(works);
  expect(held).toContain('✓ booking.annotate:every-field:as-the-core');
  expect(held).toContain('✓ delivery:genuine(BOOKING_ANNOTATED):an-item-as-the-core-opens-it');
});
