import { createHmac } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { zapierZip } from '../../tools/build/products.ts';
import { root } from '../../tools/root.cjs';
import { Lambda } from '../../tools/rigs/zapier/lambda.ts';
import { brand } from '../../shared/brand.ts';
import { eventRows } from '../../shared/events.ts';

const lastRow = '} as const satisfies Record<string, Row>;';
const oneMoreRow = `  BOOKING_MISSED: {
    label: 'Booking Missed', noun: 'Booking', record: 'booking', description: 'Triggers when nobody came to a booking', source: bookings, sample: booking,
  },\n`;

/** The table of events with one more row, and nothing else. */
const withOneMoreRow: Plugin = {
  name: 'one more event',
  setup: ({ onLoad }) =>
    onLoad({ filter: /shared\/events\.ts$/ }, async ({ path }) => {
      const table = await readFile(path, 'utf8');
      if (!table.includes(lastRow)) throw new Error('The end of the table of events is not where it was.');
      return { contents: table.replace(lastRow, oneMoreRow + lastRow), loader: 'ts' };
    }),
};

test('one more row in the table of events is one more trigger, which works without any other edit', async () => {
  const lambda = await Lambda.start({
    zip: await zapierZip(),
    prepare: async (folder) => {
      const { outputFiles } = await build({
        absWorkingDir: root,
        entryPoints: ['zapier/app.ts'],
        bundle: true,
        platform: 'node',
        format: 'esm',
        external: ['zapier-platform-core'],
        plugins: [withOneMoreRow],
        write: false,
      });
      await writeFile(join(folder, 'dist', 'index.js'), outputFiles[0]?.contents ?? '');
    },
  });
  try {
    const { triggers } = (await lambda.handle({ command: 'definition' })) as { triggers: Record<string, { display: unknown }> };
    expect(Object.keys(triggers)).toHaveLength(eventRows.length + 1);
    expect(triggers['booking_missed']?.display).toEqual({
      label: 'Booking Missed',
      description: 'Triggers when nobody came to a booking.',
    });
    expect(await lambda.handle({ command: 'validate' })).toEqual([]);

    const content = JSON.stringify({ event: 'BOOKING_MISSED', data: { id: 'bkg_1' } });
    const signature = `sha256=${createHmac('sha256', 'whsec_known').update(content).digest('hex')}`;
    const headers = { [`Http-${brand.headerPrefix}-Signature`]: signature, [`Http-${brand.headerPrefix}-Event`]: 'BOOKING_MISSED' };
    const bundle = { subscribeData: { id: 'sub_1', signing_secret: 'whsec_known' }, rawRequest: { content, headers } };
    const items = await lambda.handle({
      command: 'execute',
      method: 'triggers.booking_missed.operation.perform',
      bundle,
      zcacheTestObj: {},
    });
    expect(items).toEqual([expect.objectContaining({ id: 'bkg_1', event: 'BOOKING_MISSED' })]);
  } finally {
    await lambda.stop();
  }
});
