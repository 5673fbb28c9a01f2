import base from './jest.config.mjs';

/** The tests that judge what is mutated: the core's own, without those of the platforms, which would only repeat them slowly. */
export default {
  ...base,
  testMatch: ['signature', 'delivery', 'subscriptions', 'accountSubscriptions', 'client', 'pages', 'createBooking', 'retry', 'readBack', 'limiter', 'senders', 'renewal'].map((name) => `<rootDir>/test/shared/${name}.test.ts`),
};
