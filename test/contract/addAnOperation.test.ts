import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '../../tools/process/command.ts';
import { copyOfSources } from '../support/copyOfSources.ts';

// Two busy processors are slow, and this test is not about time.
jest.setTimeout(60 * 60_000);

let folder: string;
beforeAll(async () => void (folder = await copyOfSources()));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The sources that were added or changed. */
const changed = new Set<string>();

/** Inserts text before the first occurrence of a mark. */
async function putBefore(file: string, mark: string, text: string): Promise<void> {
  changed.add(file);
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
    env: { CONTRACT_PART: 'reschedule|MISSED|^write:' },
  });
  if (code !== 0) throw new Error(output.slice(-20_000));
  return output;
}

/** One more operation, as CONTRIBUTING describes it: a file, a line, and its endpoint in the sandbox with its description. */
async function addRescheduleBooking(): Promise<void> {
  const declared = await readFile(join(__dirname, 'addAnOperation', 'rescheduleBooking.ts.txt'), 'utf8');
  const file = 'shared/operations/booking/reschedule.ts';
  changed.add(file);
  await writeFile(join(folder, file), declared);
  await putBefore(
    'shared/operations/registry.ts',
    'export { findContact',
    "export { rescheduleBooking } from './booking/reschedule.ts';\n",
  );
  await putBefore(
    'sandbox/routes/api.ts',
    '    cancelBooking(c) {',
    `    rescheduleBooking(c) {
      const booking = scheduling.reschedule(c.get('account'), named(c, store), parse(RescheduleInput, jsonBody(c)).start_time);
      c.get('entry').committed = true;
      return c.json(present.single('booking', present.booking(booking)));
    },
`,
  );
  await putBefore('sandbox/routes/api.ts', "SubscriptionInput, withoutNulls } from '../schemas.ts'", 'RescheduleInput, ');
  await putBefore('sandbox/openapi/endpoints.ts', 'SubscriptionInput, type ListQuery', 'RescheduleInput, ');
  await putBefore(
    'sandbox/openapi/endpoints.ts',
    "  list(['/event-types', 'listEventTypes'",
    `  endpoint('post', ['/bookings/{id}/reschedule', 'rescheduleBooking', 'Reschedule a booking', 'bookings:write', 'Bookings'], {
    body: { name: 'RescheduleInput', schema: RescheduleInput, required: true, gap: 'G11' },
    answer: { status: 200, gap: 'G2', name: 'RescheduledBooking', schema: single(Booking) },
    refusals: [400, 404, 409],
  }),
`,
  );
}

/** One more event: a row, and one place in the sandbox. */
async function addBookingMissed(): Promise<void> {
  await putBefore(
    'shared/events.ts',
    '} as const satisfies Record<string, Row>;',
    `  BOOKING_MISSED: {
    label: 'Booking Missed',
    noun: 'Booking',
    record: 'booking',
    description: 'Triggers when nobody came to a booking',
    source: bookings,
    sample: booking,
  },
`,
  );
  await putBefore(
    'sandbox/events.ts',
    '} as const;\n\nexport type EventName',
    `  BOOKING_MISSED: 'Nobody came to a booking.',
`,
  );
}

it('one more operation and event need only the places that CONTRIBUTING names, and every platform keeps the contract', async () => {
  await addRescheduleBooking();
  await addBookingMissed();
  const sources = join(folder, 'tsconfig.sources.json');
  await writeFile(sources, JSON.stringify({ extends: './tsconfig.json', include: ['shared', 'zapier', 'n8n', 'mcp', 'sdk', 'sandbox'] }));
  await run('tools/commands/docs.ts');
  // Only what concerns them: the rest of the contract holds here as well.
  const works = [
    run('node_modules/jest/bin/jest.js', '-i', '--verbose', 'test/contract/quick'),
    run('node_modules/typescript-7/bin/tsc', '--pretty', 'false', '--project', sources),
    run('tools/commands/check.ts', "Zapier's schema"),
    // The other sources are as they were. CI checks them.
    run('node_modules/prettier/bin/prettier.cjs', '--check', ...changed),
  ];
  // Whatever fails, the copy is deleted only when nothing is using it any more.
  await Promise.allSettled(works);
  const [held] = await Promise.all(works);
  expect(held).toContain('✓ booking.reschedule:every-field:as-the-core');
  expect(held).toContain('✓ delivery:genuine(BOOKING_MISSED):an-item-as-the-core-opens-it');
});
