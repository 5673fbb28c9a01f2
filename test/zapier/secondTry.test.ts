import type { Bundle, ZObject } from 'zapier-platform-core';
import { clock } from '../../zapier/adapter/connection.ts';
import { authentication } from '../../zapier/authentication.ts';

afterEach(() => jest.restoreAllMocks());

test('a read that failed is tried once more, after up to a second', async () => {
  process.env['BASE_URL'] = 'https://scheduling.example/api/v1';
  const answers = [
    { status: 500, headers: new Headers(), data: {} },
    { status: 200, headers: new Headers(), data: { data: { id: 'usr_1', email: 'ada@example.com', name: 'Ada' } } },
  ];
  const z = {
    request: () => Promise.resolve(answers.shift()),
    cache: {},
    console: { log: () => undefined },
  } as unknown as ZObject;
  jest.spyOn(Math, 'random').mockReturnValue(0.3);
  const sleep = jest.spyOn(clock, 'sleep').mockResolvedValue();
  expect(await authentication.test(z, {} as Bundle)).toMatchObject({ id: 'usr_1', label: 'Ada (ada@example.com)' });
  expect(sleep.mock.calls).toEqual([[300]]);
});
