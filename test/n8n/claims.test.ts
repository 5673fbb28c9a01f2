import { Claims } from '../../n8n/adapter/claims.ts';

/** n8n's answer to the sender of a delivery. */
function answer(statusCode = 200) {
  const listeners: (() => void)[] = [];
  return {
    statusCode,
    writableEnded: false,
    once: (_: 'close', listener: () => void) => listeners.push(listener),
    close() {
      for (const listener of listeners) listener();
    },
  };
}

test.each([
  [299, 'repeated', 'repeated'],
  [300, 'first', 'underWay'],
])('a sender that did not wait for the answer %i learns from its next try what happened to the delivery', (status, next, afterThat) => {
  const claims = new Claims();
  const first = answer(status);
  expect(claims.claim(['one'], first, 'here')).toBe('first');
  first.close();
  expect(claims.claim(['one'], answer(), 'here')).toBe('underWay');
  first.writableEnded = true;
  expect(claims.claim(['one'], answer(), 'here')).toBe(next);
  // It closes late, which settles only its own delivery.
  first.close();
  expect(claims.claim(['one'], answer(), 'here')).toBe(afterThat);
});

test('a delivery that n8n could not store is taken when it comes again: treating it as received would lose it', () => {
  const claims = new Claims();
  const failed = answer(500);
  claims.claim(['one'], failed, 'here');
  failed.writableEnded = true;
  failed.close();
  expect(claims.waiting).toBe(0);
  expect(claims.claim(['one'], answer(), 'here')).toBe('first');
});

test('deliveries that never get an answer do not fill the memory: eventually the oldest counts as taken', () => {
  const claims = new Claims(2);
  expect(['a', 'b', 'c'].map((key) => claims.claim([key], answer(), 'here'))).toEqual(['first', 'first', 'first']);
  expect(['c', 'a'].map((key) => claims.claim([key], answer(), 'here'))).toEqual(['underWay', 'repeated']);
});

test('deliveries answered after their senders left go before any that is still open', () => {
  const claims = new Claims(2);
  claims.claim(['open'], answer(), 'here');
  const [stored, failed] = [answer(), answer(500)];
  for (const [key, ended] of [['stored', stored] as const, ['failed', failed] as const]) {
    expect(claims.claim([key], ended, 'elsewhere')).toBe('first');
    ended.writableEnded = true;
  }
  claims.claim(['more'], answer(), 'elsewhere');
  expect(claims.claim(['open'], answer(), 'here')).toBe('underWay');
  expect(['stored', 'failed'].map((key) => claims.claim([key], answer(), 'elsewhere'))).toEqual(['repeated', 'first']);
});

test('a delivery that lost a key to others, and failed, is free again under all its keys', () => {
  const claims = new Claims(1);
  const failed = answer(500);
  claims.claim(['a', 'b'], failed, 'here');
  failed.writableEnded = true;
  expect(claims.claim(['b'], answer(), 'here')).toBe('first');
});

test('what one trigger is receiving does not hold back another, whatever ids their services use', () => {
  const claims = new Claims();
  expect(['here', 'there', 'here'].map((place) => claims.claim(['one'], answer(), place))).toEqual(['first', 'first', 'underWay']);
});
