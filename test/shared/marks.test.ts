import { brand } from '../../shared/brand.ts';
import { marksIn, marksJoined } from '../../shared/webhooks/marks.ts';

const header = (name: string) => `${brand.headerPrefix}-${name}`.toLowerCase();
const headers = {
  [header('Signature')]: 'sha256=00',
  [header('Event')]: 'BOOKING_CREATED',
  [header('Delivery-ID')]: 'dlv_1',
  [header('Timestamp')]: '2030',
};
const marks = { signature: 'sha256=00', event: 'BOOKING_CREATED', deliveryId: 'dlv_1', timestamp: '2030' };
const none = { signature: undefined, event: undefined, deliveryId: undefined, timestamp: undefined };

describe('headers as Node.js joins them', () => {
  it('say the same as headers one by one', () => {
    expect(marksJoined({ ...headers, accept: 'a, b' })).toEqual(marks);
    expect(marksJoined(headers)).toEqual(marksIn(headers));
    expect(marksJoined({})).toEqual(none);
    expect(marksJoined(Object.fromEntries(Object.keys(headers).map((name) => [name, ''])))).toEqual(none);
  });

  it.each(Object.keys(headers))('cannot be told apart if %s may have been sent twice', (name) => {
    expect(marksJoined({ ...headers, [name]: 'one, other' })).toBeUndefined();
    expect(marksJoined({ [name]: 'one,other' })).toBeUndefined();
    expect(marksJoined({ ...headers, [name]: ['one'] })).toBeUndefined();
  });

  it.each(Object.keys(headers))('are read if %s is missing', (name) => {
    const { [name]: _, ...others } = headers;
    expect(marksJoined(others)).toEqual(marksIn(others));
    expect(Object.values(marksJoined(others) ?? {}).filter((mark) => mark === undefined)).toHaveLength(1);
  });
});
