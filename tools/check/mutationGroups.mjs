/**
 * What `npm run mutation` changes, and the tests that judge each change. Each group is counted with its own tests only, because tests
 * that run a line only in passing are slow and notice nothing.
 *
 * @type {Record<string, { mutate: string[]; tests: string[] }>}
 */
export const groups = {
  deliveries: {
    mutate: inFolder('shared/webhooks', 'signature', 'delivery', 'memory', 'key'),
    tests: [...inFolder('shared', 'signature', 'delivery', 'deliveryMemory'), 'attacks/wycheproof'],
  },
  claims: {
    mutate: ['n8n/adapter/claims.ts', 'zapier/adapter/claims.ts'],
    tests: ['n8n/claims', 'n8n/receive', 'zapier/claims', 'zapier/hookTrigger'],
  },
  subscriptions: {
    mutate: inFolder('shared/webhooks', 'subscriptions', 'accountSubscriptions'),
    tests: [...inFolder('shared', 'subscriptions', 'createSubscription', 'accountSubscriptions'), 'n8n/subscription'],
  },
  lists: {
    mutate: inFolder('shared/api', 'pages', 'envelope', 'looked'),
    tests: inFolder('shared', 'pages', 'contradictingLists', 'getManyBookings', 'looked'),
  },
  reconciliation: {
    mutate: inFolder('shared/api', 'reconcile', 'pendingWrites', 'retry'),
    tests: inFolder('shared', 'reconcile', 'pendingWrites', 'retry', 'lostBookings', 'createBooking', 'cancelBooking'),
  },
  useCase: {
    mutate: inFolder('shared', 'carryOut', 'runs', 'operations/booking/create', 'operations/booking/cancel'),
    tests: inFolder('shared', 'lostBookings', 'bookingEvidence', 'createBooking', 'cancelBooking', 'carryOut', 'runs'),
  },
  keptOpen: {
    mutate: ['n8n/adapter/pendingWrites.ts', 'n8n/adapter/accounts.ts', 'zapier/adapter/pendingWrites.ts'],
    tests: ['n8n/accounts', 'n8n/pendingWrites', 'zapier/pendingWrites'],
  },
  limits: { mutate: inFolder('shared/api', 'limiter', 'rollingWindow', 'backOff'), tests: inFolder('shared', 'limiter', 'senders') },
  renewal: { mutate: ['shared/renewal.ts', 'n8n/adapter/renewal.ts'], tests: ['shared/renewal', 'n8n/renewal'] },
};

/** The group that this process counts. */
export const group = groups[process.env.MUTATION_GROUP ?? ''] ?? { mutate: [], tests: [] };

/**
 * @param {string} folder
 * @param {string[]} names
 */
function inFolder(folder, ...names) {
  return names.map((name) => `${folder}/${name}`);
}
