import { readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseForm, startSandbox, type Forms } from '../../sandbox/service.ts';
import { mustRun } from '../../tools/process/command.ts';
import { settledIn } from '../../tools/probe/report.ts';
import { probe } from '../../tools/probe/probe.ts';
import { startReceiver } from '../../tools/probe/receiver.ts';
import type { Settled } from '../../tools/probe/settled.ts';
import { guideOf } from '../../tools/probe/settledGuides.ts';
import { installHosted } from '../../tools/rigs/mcp/hosted.ts';
import { root } from '../../tools/root.cjs';
import { copyOfSources } from '../support/copyOfSources.ts';

// Other programs run here.
jest.setTimeout(20 * 60_000);

/** One copy: what is refused leaves it as it was, and comes first. */
let folder = '';
beforeAll(async () => {
  // Types are checked there as well.
  await installHosted();
  folder = await copyOfSources();
  await symlink(join(root, 'hosted', 'node_modules'), join(folder, 'hosted', 'node_modules'), 'dir');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What the probe of a service in these forms settles. */
async function settledOf(forms: Partial<Forms>): Promise<Settled> {
  const sandbox = await startSandbox({ forms, limits: false });
  const ports = { baseUrl: sandbox.baseUrl, token: sandbox.issueToken().access_token, now: Date.now, sleep, say: () => undefined };
  const receiver = await startReceiver(0);
  try {
    return settledIn(await probe(ports, { write: true, limits: false, receiver, deliverTo: `http://127.0.0.1:${receiver.port}/` }));
  } finally {
    await receiver.close();
    await sandbox.stop();
  }
}

const run = (...words: string[]): Promise<string> => mustRun(process.execPath, words, { cwd: folder });
const textOf = (file: string): Promise<string> => readFile(join(folder, file), 'utf8');
const rowsOf = async (gap: string, fact: string) =>
  (await textOf('shared/reading/rows.ts')).match(new RegExp(`row\\('${gap}', '${fact}'`, 'g'));

/**
 * Settles gaps in the copy by the command, which formats what it wrote, and looks at everything that could have noticed: the compiler also
 * at what nobody uses any more.
 */
async function settle(settled: Settled, gaps: readonly string[]): Promise<void> {
  await writeFile(join(folder, 'settled.json'), JSON.stringify(settled));
  await run('tools/commands/settle.ts', ...gaps);
  await run('node_modules/typescript-7/bin/tsc', '--pretty', 'false', '--project', '.');
  await run(
    'node_modules/jest/bin/jest.js',
    'test/shared/(?:pages|forms|records|delivery|ordinaryServices|find)\\.',
    'test/docs/openapi',
    'test/sandbox/services',
    // What stands beside a record is told apart by the rows that are left, and each of them was looked at with all others. The habits are no
    // forms of these gaps.
    '--testNamePattern=^(?!an answer with a stranger|with the habit)',
  );
}

it.each<[string, object]>([
  ['of an older probe', { G5: { 'booking.previous_start_time': { rows: ['previous_start_time'] } } }],
  ['of an older table, whose rows have changed since', { 'G5 booking.previous_start_time': { rows: ['previous_start_time'] } }],
])('a file %s is refused, and nothing is deleted', async (_, settled) => {
  await writeFile(join(folder, 'settled.json'), JSON.stringify(settled));
  const before = await rowsOf('G5', 'booking');
  await expect(run('tools/commands/settle.ts')).rejects.toThrow(
    'settled.json was written for another table of forms. Run `npm run probe` again.',
  );
  expect(await rowsOf('G5', 'booking')).toEqual(before);
});

it('the guides name what a record shows without a place before it, if the service answers with the record itself', async () => {
  const settled = { 'G2 envelope': { rows: [], at: '' } };
  expect(guideOf(await textOf('docs/guides/generic-clients.md'), settled)).toMatch(/\| 201, `id` \|\n.+`data\[\]\.status`/);
  expect(guideOf(await textOf('docs/templates/http-request.json'), settled)).toContain('/bookings/{{ $json.id }}/cancel');
});

it('a service with `items` and `meta.next` settles G1, and one that exists G3 to G7 (of the user it shows as much as is assumed): their forms are everywhere, the others are gone with their answers, and nothing is left to do by hand', async () => {
  const [lists, records] = [await settledOf({ list: 'items', cursor: 'meta.next' }), await settledOf(parseForm('service=calcom2'))];
  // One copy for both: looking at everything takes a minute of two processors.
  const ofLists = Object.entries(lists).filter(([name]) => name.startsWith('G1 '));
  const settled = {
    ...Object.fromEntries(Object.entries(records).filter(([name]) => !name.startsWith('G1 '))),
    ...Object.fromEntries(ofLists),
  };
  expect(settled).toMatchObject({
    'G1 list.items': { rows: [expect.stringMatching(/^items\|/)], at: 'items' },
    'G1 list.cursor': { rows: ['(?:odata_)?next(?:_page)?(?:_(?:token|link))?'], at: 'meta.next' },
  });
  const before = (await rowsOf('G5', 'booking\\.start_time'))?.length ?? 0;
  await settle(settled, ['G1', 'G3', 'G5', 'G6', 'G7']);
  expect(await rowsOf('G1', 'list\\.(?:items|cursor)')).toHaveLength(2);
  expect((await rowsOf('G5', 'booking\\.start_time'))?.length).toBeLessThan(before);
  for (const file of ['shared', 'sandbox', 'docs/guides/generic-clients.md', 'docs/openapi.json', 'docs/templates'])
    expect(await mustRun('grep', ['-rlE', 'next_cursor|nextCursor', file], { cwd: folder }).catch(() => '')).toBe('');
  // The guides ask and read as the service does. Their other lines are as they were.
  await run('node_modules/jest/bin/jest.js', 'test/docs/documents', '--testNamePattern=^the guide for generic clients');
  expect(await textOf('docs/templates/http-request.json')).toContain('$json.items.find(');
  expect(await textOf('docs/guides/generic-clients.md')).toContain('*OAuth Redirect URL*');
  // Answers that would be read otherwise now are gone, with their service in the sandbox.
  expect(await readdir(join(folder, 'test', 'forms'))).not.toContain('acuity.json');
  expect(Object.keys(JSON.parse(await textOf('sandbox/services.json')) as object)).not.toContain('acuity');
  expect(JSON.parse(await textOf('docs/openapi.json'))).toMatchObject({
    components: { schemas: { BookingPage: { 'x-seen': 'G1', required: ['items', 'meta'] }, Booking: { 'x-seen': 'G5' } } },
  });
});
