import { limits } from '../../shared/limits.ts';
import { eventTypeRecord, statusTransitions, latestCommit } from '../../shared/assumptions.ts';
import { operationLabel } from '../../shared/operations/define.ts';
import { eventRows } from '../../shared/events.ts';
import { statusFilter, statuses } from '../../shared/operations/booking/getMany.ts';
import { operations } from '../../shared/operations/index.ts';
import { scopes } from '../../shared/oauth/scopes.ts';
import { FAULTS } from '../../sandbox/faultKinds.ts';
import { SCOPES } from '../../sandbox/guard.ts';
import { DEFAULT_LIMITS } from '../../sandbox/limits.ts';
import { BOOKING_STATUSES, EVENTS, QUESTION_TYPES } from '../../sandbox/records.ts';
import { PAGE_SIZE } from '../../sandbox/schemas.ts';
import { serve, type TestService } from '../support/service.ts';

/** The core and the sandbox are written from the same document, independently of each other. This test compares them. */
let service: TestService;
beforeEach(async () => void (service = await serve({ limits: false })));

it('both know the same scopes, events, statuses, question types and limits', () => {
  expect(Object.keys(scopes).sort()).toEqual(Object.keys(SCOPES).sort());
  expect(eventRows.map(({ name }) => name)).toEqual([...EVENTS]);
  expect(statuses.map(({ value }) => value).sort()).toEqual([...BOOKING_STATUSES].sort());
  expect(BOOKING_STATUSES.filter((status) => !statusFilter.schema.safeParse(status).success)).toEqual([]);
  expect(BOOKING_STATUSES).toContain(statusTransitions.cancelled);
  expect(Object.keys(eventTypeRecord.questionTypes).sort()).toEqual([...QUESTION_TYPES].sort());
  expect(limits).toEqual({
    requestsPerMinute: DEFAULT_LIMITS.api,
    subscriptionRequestsPerMinute: DEFAULT_LIMITS.hooks,
    tokenExchangesPerMinute: DEFAULT_LIMITS.token,
    subscriptions: DEFAULT_LIMITS.subscriptions,
    pageSize: PAGE_SIZE.max,
    defaultPageSize: PAGE_SIZE.usual,
  });
  expect(FAULTS['late-commit'].commits && latestCommit.seconds).toBe(60);
});

/** A path that reaches the endpoint. Its id need not exist for the scope to be checked. */
const concrete = (endpoint: string) => {
  const [method = '', path = ''] = endpoint.split(' ');
  return { method, url: `${service.sandbox.baseUrl}${path.replace(/^\/v1/, '').replace(':id', 'some-id')}` };
};
const status = async (endpoint: string, granted: string[]) => {
  const { method, url } = concrete(endpoint);
  const { access_token: token } = service.sandbox.issueToken({ scopes: granted });
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(method === 'POST' && { body: '{}' }),
  });
  return response.status;
};

it.each(operations.map((operation) => [operationLabel(operation), operation] as const))(
  '%s: the scope that it declares is the one that its endpoint requires, and is enough',
  async (_, { endpoint, scope }) => {
    const all = Object.keys(scopes);
    expect(await status(endpoint, scope === 'any' ? [all[0] ?? ''] : [scope])).not.toBe(403);
    const others = all.filter((other) => other !== scope);
    if (scope !== 'any') expect(await status(endpoint, others)).toBe(403);
  },
);
