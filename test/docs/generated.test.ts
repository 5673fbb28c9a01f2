import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { assumptions } from '../../shared/assumptions.ts';
import { brand } from '../../shared/brand.ts';
import { operationLabel } from '../../shared/operations/define.ts';
import { eventRows } from '../../shared/events.ts';
import { operations, searches } from '../../shared/operations/index.ts';
import { formFields } from '../../shared/operations/form.ts';
import { deliveredRecord, openDelivery } from '../../shared/webhooks/delivery.ts';
import { triggerFile } from '../../tools/docs/triggers.ts';
import { exampleSecret } from '../../tools/docs/walk.ts';
import { root } from '../../tools/root.cjs';

const docs = join(root, 'docs');

describe.each(eventRows.map((row) => [row.label, row] as const))('the page of %s', (_, row) => {
  let text: string;
  let blocks: string[];
  beforeAll(async () => {
    text = await readFile(join(docs, 'reference', 'triggers', triggerFile(row)), 'utf8');
    blocks = [...text.matchAll(/^```(?:json|http)\n([\s\S]*?)\n```$/gm)].map(([, inner = '']) => inner);
  });

  it('shows a delivery that verifies as it is printed there, and the record that a trigger makes from it', () => {
    const [record = '', headers = '', body = ''] = blocks;
    const read = Object.fromEntries(headers.split('\n').map((line) => line.split(': ') as [string, string]));
    const opened = openDelivery(
      { rawBody: body, headers: read },
      { secret: exampleSecret, events: [row.name], subscriptionId: 'example', now: 0 },
    );
    expect(opened).toMatchObject({ outcome: 'accepted', event: row.name });
    expect(opened.outcome === 'accepted' && deliveredRecord(opened, 'presented')).toEqual(JSON.parse(record));
    expect(
      openDelivery({ rawBody: `${body} `, headers: read }, { secret: exampleSecret, events: [row.name], subscriptionId: 'a', now: 0 }),
    ).toMatchObject({ outcome: 'refused', check: 'signature' });
  });

  it('names every field of the record', () => {
    const keys = Object.keys(JSON.parse(blocks[0] ?? '') as object);
    expect(keys.filter((key) => !text.includes(`| \`${key}\` |`))).toEqual([]);
  });
});

it('the field reference has every operation with every field, and its place on each platform', async () => {
  const text = await readFile(join(docs, 'reference', 'fields.md'), 'utf8');
  for (const operation of [...operations, ...searches]) {
    const section = text.split(`\n## ${operationLabel(operation)}\n`)[1]?.split('\n## ')[0] ?? '';
    expect(formFields(operation.input).filter(({ key, label }) => !section.includes(`| ${label} | \`${key}\` |`))).toEqual([]);
  }
  for (const key of ['create_booking', 'cancel_booking', 'find_booking', 'find_contact']) expect(text).toContain(`| \`${key}\` |`);
});

it('the table of assumptions has all of them', async () => {
  const text = await readFile(join(docs, 'reference', 'assumptions.md'), 'utf8');
  expect(Object.values(assumptions).filter(({ number, gap }) => !text.includes(`| ${number} | ${gap} |`))).toEqual([]);
});

it('troubleshooting can be searched by the error sentences: at least one for every kind of error', async () => {
  const text = await readFile(join(docs, 'reference', 'troubleshooting.md'), 'utf8');
  for (const words of [
    'has expired or was revoked',
    'lacks the permission',
    'The plan of this',
    'already has 25 active webhook subscriptions',
    'was not found',
    'is not free',
    'rate limit has been reached',
    'could not be reached',
    'Unexpected response from',
    'may or may not exist',
    'does not match',
  ]) {
    expect(text).toContain(words);
  }
  expect(text).toContain(`${brand.headerPrefix}-Signature`);
});
