import base from './jest.config.mjs';

/** The tests that judge what is mutated: the core's own, without those of the platforms, which would only repeat them slowly. */
export default {
  ...base,
  testMatch: [
    'signature', 'delivery', 'deliveryMemory', 'subscriptions', 'createSubscription', 'accountSubscriptions', 'client', 'pages', 'contradictingLists', 'createBooking', 'cancelBooking', 'lostBookings',
    'reconcile', 'pendingWrites', 'retry', 'limiter', 'senders', 'renewal', 'questions', 'inputs',
  ].map((name) => `<rootDir>/test/shared/${name}.test.ts`),
};
