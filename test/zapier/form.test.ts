import fc from 'fast-check';
import nock from 'nock';
import { createAppTester } from 'zapier-platform-core';
import { dropdown } from '../../zapier/adapter/fields.ts';
import { answerKeys } from '../../zapier/adapter/names.ts';
import app from '../../zapier/app.ts';
import { method } from './definition.ts';

describe('a dropdown', () => {
  const appTester = createAppTester(app);
  const shown = (name: 'contacts' | 'bookings', token?: string | null) =>
    appTester(dropdown(name).perform, { meta: { paging_token: token } } as never) as Promise<{ results: object[]; paging_token: unknown }>;
  const service = () => nock('https://scheduling.example').get('/api/v1/contacts');

  beforeAll(() => void (process.env['BASE_URL'] = 'https://scheduling.example/api/v1'));
  afterAll(() => {
    Reflect.deleteProperty(process.env, 'BASE_URL');
    nock.restore();
  });

  // Zapier's value for the first page: nothing in the editor, null if its own tool asks on a terminal.
  test.each([undefined, null])(
    'requests the first page without a cursor if the token is %s, and the next one with its own',
    async (none) => {
      service()
        .query(({ cursor }) => cursor === undefined)
        .reply(200, { data: [{ id: 'con_1', name: 'Ana', email: 'ana@example.com' }], next_cursor: 'c2' });
      service()
        .query(({ cursor }) => cursor === 'c2')
        .reply(200, { data: [{ id: 'con_2', name: 'Bo', email: 'bo@example.com' }], next_cursor: null });
      const first = await shown('contacts', none);
      expect(first.results).toEqual([{ id: 'con_1', label: 'Ana, ana@example.com' }]);
      expect(await shown('contacts', String(first.paging_token))).toEqual({
        results: [{ id: 'con_2', label: 'Bo, bo@example.com' }],
        paging_token: null,
      });
    },
  );

  test('says where it stopped looking, in an entry that selects nothing', async () => {
    let ids = 0;
    const past = { status: 'CONFIRMED', start_time: '2020-01-02T08:00:00Z', invitee_email: 'ada@example.com' };
    const page = () => Array.from({ length: 100 }, () => ({ id: `bkg_${(ids += 1)}`, ...past }));
    nock('https://scheduling.example')
      .persist()
      .get('/api/v1/bookings')
      .query(true)
      .reply(200, () => ({ data: page(), next_cursor: `after ${ids}` }));
    expect((await shown('bookings')).results).toEqual([{ id: '', label: expect.stringContaining('1,000 bookings') as string }]);
    // A search has no such entry, and says it in the history of the Zap.
    process.env['LOG_TO_STDOUT'] = 'yes';
    const printed = jest.spyOn(console, 'log').mockImplementation();
    const search = method('searches.find_booking.operation.perform');
    expect(await appTester(search, { inputData: { email: 'nobody@example.com' }, meta: {} } as never)).toMatchObject({ results: [] });
    expect(printed.mock.calls.join()).toContain('Only the first 1,000 bookings were searched');
    Reflect.deleteProperty(process.env, 'LOG_TO_STDOUT');
    jest.restoreAllMocks();
  });
});

describe('the keys of the fields for questions', () => {
  const { encode, decoded } = answerKeys('answers');

  test('any key of a question comes back from its field unchanged', () => {
    const key = fc.oneof(fc.string({ minLength: 1, unit: 'binary' }), fc.stringMatching(/^[a-f0-9_.-]{1,12}$/));
    const form = { answers: { a: 1 }, start: 'now' };
    fc.assert(fc.property(key, (each) => Object.keys(decoded({ ...form, [encode(each)]: 1 })).join() === each));
  });

  test('no two questions share a field, and no field looks like a path', () => {
    const keys = ['a.b', 'a_b', 'a__b', 'a b', '_a', '__a', 'a-2e-b', 'ä', '🙂', '-', '_'];
    const fields = keys.map(encode);
    expect(new Set(fields).size).toBe(keys.length);
    for (const field of fields) expect(field).toMatch(/^answers_(?!.*__)[A-Za-z0-9_-]+$/);
  });
});
