import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

type Insertion = [mark: string, text: string];

/** A new operation, as CONTRIBUTING describes it: for each file, the text to insert, and the mark before which it goes. */
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

/** A new event, which no list shows. The operation makes it happen. */
const event: Record<string, Insertion[]> = {
  'shared/events.ts': [
    [
      '} as const satisfies Record<string, DeclaredEvent>;',
      `  BOOKING_ANNOTATED: {
    ...ofBooking,
    description: 'Triggers when somebody annotates a booking',
    note: 'Fires for the same notes as well.',
    source: bookings,
    sample: booking,
  },
`,
    ],
  ],
  'sandbox/events.ts': [['} as const;\n\nexport type EventName', "  BOOKING_ANNOTATED: 'Somebody annotates a booking.',\n"]],
};

/** The suites, besides the contract, that check every operation and event. */
export const suites = ['mcp/server', 'n8n/panels', 'sandbox/api', 'shared/changes', 'shared/declarations'].map(
  (name) => `test/${name}.test.ts`,
);

const insertions = [operation, event].flatMap(Object.entries<Insertion[]>);

/** Adds them to a copy of the sources. */
export async function addAnOperation(folder: string): Promise<void> {
  await cp(join(__dirname, 'addAnOperation', 'annotateBooking.ts.txt'), join(folder, declaration));
  for (const [file, inserted] of insertions)
    for (const [mark, text] of inserted) {
      const path = join(folder, file);
      const before = await readFile(path, 'utf8');
      // If the mark has moved, nothing would be added, and the test would prove nothing.
      expect([file, before.includes(mark)]).toEqual([file, true]);
      await writeFile(path, before.replace(mark, text + mark));
    }
}

/** Removes them again. */
export async function removeTheOperation(folder: string): Promise<void> {
  await rm(join(folder, declaration));
  for (const [file, inserted] of insertions)
    for (const [, text] of inserted) {
      const path = join(folder, file);
      await writeFile(path, (await readFile(path, 'utf8')).replace(text, ''));
    }
}
