import { allOf, paginate, type Listing } from '../../shared/client/pages.ts';
import type { Forms } from '../../sandbox/service.ts';
import { refusal } from '../support/refusal.ts';
import { serve, type TestService } from '../support/service.ts';

const bookings: Listing = { path: ['bookings'], scope: 'bookings:read', resourceName: 'bookings', record: 'booking' };

let service: TestService | undefined;
const fail = (): never => {
  throw new Error('No service is running.');
};
afterEach(async () => {
  await service?.sandbox.stop();
  service = undefined;
});

describe('a list that contradicts itself', () => {
  const many = async (forms: Partial<Forms>) => {
    service = await serve({ forms, limits: false });
    for (let index = service.sandbox.bookings().length; index < 110; index += 1) service.sandbox.host.book();
    return service.sandbox
      .bookings()
      .map(({ id }) => id)
      .reverse();
  };

  it.each(['link', 'other'] as const)('is read on if another key names the cursor: %s', async (contradiction) => {
    const ids = await many({ contradiction });
    expect((await allOf(paginate(service?.client ?? fail(), bookings))).map(({ id }) => id)).toEqual(ids);
  });

  it.each(['more', 'unnamed'] as const)('is reported if no key does, and nothing of it is used: %s', async (contradiction) => {
    await many({ contradiction });
    const error = await refusal(allOf(paginate(service?.client ?? fail(), bookings)));
    expect(error.kind).toBe('unreadable');
    expect(error.message).toContain('because the answer says that there is more, but got the keys "data"');
    expect(service?.sandbox.requests().filter(({ method }) => method === 'GET')).toHaveLength(1);
  });

  it.each(['more', 'unnamed'] as const)(
    'returns what was asked for if one page has it, and says that the list continues: %s',
    async (contradiction) => {
      await many({ contradiction });
      const records = paginate(service?.client ?? fail(), bookings, 50);
      expect(await allOf(records)).toHaveLength(50);
      expect(records.isTruncated).toBe(true);
    },
  );
});

it.each([101, 130, 260])(
  'cursors that count pages lead to each record once, with as few pages as possible, if %p are wanted',
  async (most) => {
    service = await serve({ forms: { cursors: 'page' }, limits: false });
    for (let index = service.sandbox.bookings().length; index < 140; index += 1) service.sandbox.host.book();
    service.sandbox.forgetRequests();
    const ids = service.sandbox
      .bookings()
      .map(({ id }) => id)
      .reverse();
    expect((await allOf(paginate(service.client, bookings, most))).map(({ id }) => id)).toEqual(ids.slice(0, most));
    expect(service.sandbox.requests()).toHaveLength(2);
  },
);
