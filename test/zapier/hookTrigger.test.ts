import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import type { Bundle, ZObject } from 'zapier-platform-core';
import { brand } from '../../shared/brand.ts';
import { method } from '../soak/platforms/zapier.ts';

const secret = 'whsec_of-this-zap';
const subscribeData = { id: 'sub_1', signing_secret: secret };
const header = (name: string) => `Http-${brand.headerPrefix}-${name}`;
const signed = (content: string) => ({
  [header('Signature')]: `sha256=${createHmac('sha256', secret).update(content).digest('hex')}`,
  [header('Event')]: 'BOOKING_CREATED',
});

const trigger = method('triggers.booking_created.operation.perform');

/** One trigger's `perform` as Zapier calls it, with a store of its own. */
async function perform(bundle: object) {
  const kept = new Map<string, unknown>();
  const log: string[] = [];
  const z = {
    console: { log: (line: string) => log.push(line) },
    cache: {
      get: async (key: string) => kept.get(key) ?? null,
      set: async (key: string, value: unknown) => (kept.has(key) ? null : kept.set(key, value) && true),
      delete: async (key: string) => kept.delete(key),
    },
  } as unknown as ZObject;
  const items = await trigger(z, { inputData: {}, subscribeData, ...bundle } as unknown as Bundle);
  return { items: items as Record<string, unknown>[], log, kept };
}

describe('whatever comes in, a trigger ends in items and never in an error, which would switch the Zap off', () => {
  const content = '{"event":"BOOKING_CREATED","created_at":"2030-01-02T08:00:00Z","data":{"id":"bkg_1"}}';

  it.each<[string, unknown]>([
    ['the request is null', null],
    ['the request is a text', 'hello'],
    ['the request is empty', {}],
    ['the body is an object', { content: { event: 'BOOKING_CREATED' }, headers: signed(content) }],
    ['the body is a list', { content: [content], headers: signed(content) }],
    ['the body is null', { content: null, headers: signed(content) }],
    ['the body is a number', { content: 5, headers: signed(content) }],
    ['the headers are null', { content, headers: null }],
    ['the headers are a text', { content, headers: 'X-Signature: 1' }],
    ['the headers are a list', { content, headers: [['a', 'b']] }],
    [
      'the signature has another name',
      {
        content,
        headers: { [header('Event')]: 'BOOKING_CREATED', [`${brand.headerPrefix}-Http-Signature`]: signed(content)[header('Signature')] },
      },
    ],
    ['a header is null', { content, headers: { ...signed(content), [header('Signature')]: null } }],
    ['a header is an object', { content, headers: { ...signed(content), [header('Signature')]: { toString: 1 } } }],
    [
      'the names of headers are those that every object has',
      { content, headers: { 'Http-constructor': 'x', 'Http-toString': 'y', ['__proto__']: 'z', 'Http-__proto__': 'z' } },
    ],
  ])('%s: no item, and one log line', async (_, rawRequest) => {
    const { items, log, kept } = await perform({ rawRequest });
    expect(items).toEqual([]);
    expect(log).toEqual([expect.stringMatching(/^Not passed on\. /)]);
    expect(kept.size).toBe(0);
  });

  it("a stranger's header hides no genuine delivery", async () => {
    const { items } = await perform({
      rawRequest: { content, headers: { ...signed(content), 'Http-constructor': 'x', 'Http-__proto__': 'y' } },
    });
    expect(items).toHaveLength(1);
  });

  it.each([null, undefined, 5, 'sub_1', [], { id: 5, signing_secret: {} }])(
    'what Zapier kept of the subscription is %p: no item, and a line that says what to do',
    async (given) => {
      const { items, log } = await perform({ subscribeData: given, rawRequest: { content, headers: signed(content) } });
      expect(items).toEqual([]);
      expect(log).toEqual([expect.stringContaining('off and on again')]);
    },
  );

  it('anything at all', async () => {
    await fc.assert(
      fc.asyncProperty(fc.anything(), fc.anything(), async (body, headers) => {
        for (const rawRequest of [body, { content: body, headers }, { content, headers }])
          expect((await perform({ rawRequest })).items).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});

describe('the filter by event type', () => {
  const content = '{"event":"BOOKING_CREATED","created_at":"2030-01-02T08:00:00Z","data":{"id":"bkg_1","event_type_id":"42"}}';
  it.each<[string, unknown, number]>([
    ['is not there', undefined, 1],
    ['is null', null, 1],
    ['is empty', [], 1],
    ['has an empty line', [''], 1],
    ['has blanks and nothing', [' ', null, undefined], 1],
    ['has an empty line beside the id', ['', '42'], 1],
    ['has an empty line beside another id', ['', '7'], 0],
    ['is the id alone', '42', 1],
    ['is the id as a number', 42, 1],
    ['is a list of numbers', [42], 1],
    ['has the id among others in one text', '7,42', 1],
    ['is a longer id', '142', 0],
    ['is another number', [7], 0],
    ['is another id', ['7'], 0],
  ])('%s', async (_, chosen, items) => {
    expect(
      (await perform({ inputData: { event_type_ids: chosen }, rawRequest: { content, headers: signed(content) } })).items,
    ).toHaveLength(items);
  });
});

it('an item carries a key of what was signed, which is the same under any id', async () => {
  const content = '{"event":"BOOKING_CREATED","created_at":"2030-01-02T08:00:00Z","data":{"id":"bkg_1"}}';
  const keys = await Promise.all(
    ['dlv_1', 'dlv_2'].map(
      async (id) =>
        (await perform({ rawRequest: { content, headers: { ...signed(content), [header('Delivery-ID')]: id } } })).items[0]?.[
          'delivery_key'
        ],
    ),
  );
  expect(keys[0]).toMatch(/^[0-9a-f]{64}$/);
  expect(keys[1]).toBe(keys[0]);
});
