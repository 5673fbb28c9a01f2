import { brand } from '../../shared/brand.ts';
import { eventRows } from '../../shared/events.ts';
import { openDelivery } from '../../shared/webhooks/delivery.ts';
import { sign } from '../../shared/webhooks/signature.ts';

const secret = 'whsec_of-this-test';
const header = (name: string) => `${brand.headerPrefix}-${name}`;

/** The key of a delivery under this header, or what became of it. */
function keyOf(rawBody: string, event = 'BOOKING_CREATED'): string {
  const headers = { [header('Signature')]: sign(rawBody, secret), [header('Event')]: event, [header('Delivery-ID')]: 'dlv_1' };
  const events = eventRows.map(({ name }) => name);
  const found = openDelivery({ rawBody, headers }, { secret, events, subscriptionId: 'sub_1', now: 0 });
  return found.outcome === 'accepted' ? found.delivery.delivery_key : found.outcome;
}

const unnamed = '{"created_at":"2030-01-02T08:00:00Z","data":{"id":"bkg_1"}}';
const named = (event: string) => unnamed.replace('{', `{"event":"${event}",`);

it('two events with the same bytes are two deliveries if only the header names them: an approval gives Approved and Created in one second', () => {
  expect(keyOf(unnamed, 'BOOKING_APPROVED')).not.toBe(keyOf(unnamed, 'BOOKING_CREATED'));
  expect(keyOf(unnamed, 'BOOKING_APPROVED')).toBe(keyOf(unnamed, 'BOOKING_APPROVED'));
});

it.each(['booking.created', 'BOOKING_CREATED'])(
  'if the body names the event as %s, another header makes no second delivery of it',
  (event) => {
    expect([keyOf(named(event)), 'refused']).toContain(keyOf(named(event), 'BOOKING_APPROVED'));
  },
);

it.each([
  [
    'a time',
    '{"event":"BOOKING_CREATED","created_at":"2030-01-02T08:00:00Z","data":{"id":"bkg_1","event_type_id":"evt_1"}}',
    'fcfd7e028e9610eda81b65c668887612c3df3c98aa229909a1c9769196763684',
  ],
  ['no time', '{"event":"BOOKING_CREATED","data":{"id":"bkg_1"}}', 'eca9a1601b224db0897f895a99b25c4d6d43eff2ba4db948fa2707045086e392'],
])('a body with its event and %s has the same key as in earlier releases', (_, body, key) => expect(keyOf(body)).toBe(key));
