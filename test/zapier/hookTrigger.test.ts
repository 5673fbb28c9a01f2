import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { createAppTester } from 'zapier-platform-core';
import { brand } from '../../shared/brand.ts';
import app from '../../zapier/app.ts';
import { method } from './definition.ts';

/** A header of the service under the name that Zapier gives it. */
const header = (name: string) => `Http-${brand.headerPrefix}-${name}`;

/** The headers of a genuine delivery. Computed here and not by the core, as an independent check. */
const signed = (body: string, key: string): Record<string, string> => ({
  [header('Signature')]: `sha256=${createHmac('sha256', key).update(body).digest('hex')}`,
  [header('Event')]: 'BOOKING_CREATED',
});

const secret = 'whsec_of-this-zap';
const content = '{"event":"BOOKING_CREATED","created_at":"2030-01-02T08:00:00Z","data":{"id":"bkg_1","event_type_id":"42"}}';
const genuine = signed(content, secret);

const appTester = createAppTester(app);
const trigger = method('triggers.booking_created.operation.perform');

/** One trigger's `perform` as Zapier calls it, with an empty store, and what it logs. */
async function perform(bundle: object) {
  process.env['LOG_TO_STDOUT'] = 'yes';
  const printed = jest.spyOn(console, 'log').mockReset().mockImplementation();
  const given = { inputData: {}, subscribeData: { id: 'sub_1', signing_secret: secret }, ...bundle };
  const items = (await appTester(trigger, given as never, true)) as Record<string, unknown>[];
  // The platform prints each line, and while it is tested prints it a second time.
  return { items, log: [...new Set(printed.mock.calls.map(([line]) => String(line).trim()))] };
}
const delivered = (headers: object, more: object = {}) => perform({ rawRequest: { content, headers }, ...more });
const renamed = (rename: (name: string) => string) =>
  Object.fromEntries(Object.entries(genuine).map(([name, value]) => [rename(name), value]));

afterAll(() => {
  Reflect.deleteProperty(process.env, 'LOG_TO_STDOUT');
  jest.restoreAllMocks();
});

describe('whatever comes in, a trigger ends in items and never in an error, which would switch the Zap off', () => {
  it.each<[string, unknown]>([
    ['the request is null', null],
    ['the body is an object', { content: { event: 'BOOKING_CREATED' }, headers: genuine }],
    ['a header is an object', { content, headers: { ...genuine, [header('Signature')]: { toString: 1 } } }],
    ['the signature is forged', { content, headers: signed(content, 'guessed') }],
  ])('%s: no item, and one log line without the body', async (_, rawRequest) => {
    const { items, log } = await perform({ rawRequest });
    expect(items).toEqual([]);
    expect(log).toEqual([expect.stringMatching(/^Not passed on\. (?!.*bkg_1)/)]);
  });

  it("a stranger's header hides no genuine delivery", async () => {
    expect((await delivered({ ...genuine, 'Http-constructor': 'x', 'Http-__proto__': 'y' })).items).toHaveLength(1);
  });

  it.each([null, 'sub_1', { id: 5, signing_secret: {} }])(
    'what Zapier kept of the subscription is %p: no item, and a line that says what to do',
    async (subscribeData) => {
      const { items, log } = await delivered(genuine, { subscribeData });
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
      // The platform ends a large process after 250 calls.
      { numRuns: 25 },
    );
  });
});

it.each<[string, (name: string) => string]>([
  ['without the prefix that Zapier puts before it', (name) => name.replace(/^Http-/, '')],
  ['in lower case', (name) => name.toLowerCase()],
])('the signature is found %s', async (_, rename) => {
  expect((await delivered(renamed(rename))).items).toHaveLength(1);
});

it.each<[string, unknown, number]>([
  ['has an empty line beside the id', ['', '42'], 1],
  ['is another id', ['7'], 0],
])('the filter by event type %s', async (_, chosen, items) => {
  expect((await delivered(genuine, { inputData: { event_type_ids: chosen } })).items).toHaveLength(items);
});
