import { everyBooking } from '../../shared/client/bookingLists.ts';
import { allOf } from '../../shared/client/pages.ts';
import type { Transport } from '../../shared/client/transport.ts';
import { serve, type TestService } from '../support/service.ts';

let service: TestService;

describe('every booking', () => {
  it('is asked for in each status, because a list without one may hold only some of them (G42)', async () => {
    const all = [
      { id: 'a', status: 'CONFIRMED' },
      { id: 'b', status: 'PENDING' },
      { id: 'c', status: 'CANCELLED' },
      { id: 'd', status: 'NO_SHOW' },
    ];
    const asked: unknown[] = [];
    const transport: Transport = ({ query = {} }) => {
      asked.push(query);
      const fits = ({ status }: { status: string }) => (query['status'] === undefined ? /[DW]$/.test(status) : status === query['status']);
      return Promise.resolve({ status: 200, headers: {}, body: { data: all.filter((each) => fits(each)) } });
    };
    service = await serve();
    const client = service.clientWith({ transport: () => transport });
    const every = everyBooking(client, { emails: ['Ada@example.com', 'ada@example.com'] });
    expect((await allOf(every)).map(({ id }) => id).sort()).toEqual(['a', 'b', 'c', 'd']);
    expect(every.isTruncated).toBe(false);
    expect(asked).toEqual(
      [undefined, 'PENDING', 'CONFIRMED', 'CANCELLED'].flatMap((status) =>
        ['Ada@example.com', 'ada@example.com'].map((email) => ({ ...(status && { status }), email, limit: '100' })),
      ),
    );
  });

  it('is read to the end of an account with more than ten pages, although each status repeats what the list without one had', async () => {
    service = await serve();
    for (let index = 0; index < 1_100; index += 1)
      service.sandbox.host.book({ start_time: new Date(Date.parse('2031-01-06T00:00:00Z') + index * 3_600_000).toISOString() });
    expect((await allOf(everyBooking(service.client))).length).toBeGreaterThanOrEqual(1_100);
  });

  it('is cut if the wanted maximum was reached before the last list', async () => {
    service = await serve();
    const few = everyBooking(service.client, {}, 2);
    expect([await allOf(few), few.isTruncated]).toMatchObject([{ length: 2 }, true]);
  });
});
