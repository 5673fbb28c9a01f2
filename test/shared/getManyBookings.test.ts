import { allOf } from '../../shared/client/pages.ts';
import { getManyBookings } from '../../shared/operations/index.ts';
import type { Forms } from '../../sandbox/service.ts';
import { serve, type TestService } from '../support/served.ts';

let service: TestService;

const addresses = ['joann@example.com', 'ann@example.com', 'ANN@example.com', 'ann@example.com.au', 'ann@example.com'];
const running = async (forms: Partial<Forms>) => {
  service = await serve({ forms, limits: false });
  for (const invitee_email of addresses) service.sandbox.host.book({ invitee_email });
  return service.client;
};
const emails = async (client: TestService['client'], email: string, limit?: number) =>
  (await allOf(getManyBookings.run(client, { email }, limit === undefined ? {} : { limit }))).map(({ invitee_email }) =>
    String(invitee_email),
  );

it('Get Many by email returns only the bookings of that address, even if the service matches parts of it (G30)', async () => {
  const client = await running({ emailMatch: 'partial' });
  expect(await emails(client, 'ann@example.com')).toEqual(['ann@example.com', 'ANN@example.com', 'ann@example.com']);
  expect(await emails(client, 'Ann@Example.com', 2)).toEqual(['ann@example.com', 'ANN@example.com']);
  expect(await emails(client, 'ann@example.co')).toEqual([]);
});

it('Get Many relies on the service if its records show no address', async () => {
  const client = await running({ records: 'sparse' });
  expect(await emails(client, 'joann@example.com')).toEqual(['undefined']);
});
