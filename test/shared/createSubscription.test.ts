import type { EventName } from '../../shared/events.ts';
import { createSubscription } from '../../shared/operations/index.ts';
import { serve, type TestService } from '../support/service.ts';

let service: TestService;
const begin = async () => (service = await serve({ limits: false }));
afterEach(() => service.sandbox.stop());

const wanted = { url: 'http://127.0.0.1:9/webhook/ours' };
/** What it ended in, be it a record or a refusal. */
const settledly = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);

describe('an address of the user\'s own that is subscribed already', () => {
  it.each(['drop-after', 'drop-before', 'status'] as const)('keeps that subscription where the answer to another one is lost by %s', async (kind) => {
    const { client, sandbox } = await begin();
    const first = await createSubscription.run(client, { url: wanted.url, events: ['BOOKING_CREATED'] }, {});
    sandbox.faults.add({ route: 'POST /v1/hooks', kind, ...(kind === 'status' && { status: 502 }) });
    const second = await settledly(createSubscription.run(client, { url: wanted.url, events: ['BOOKING_CANCELLED'] }, {}));
    const there = sandbox.subscriptions().map(({ id }) => id);
    expect(there).toContain(first['id']);
    // Whether a subscription that appeared meanwhile is ours cannot be told: it stays, and is named.
    if (kind === 'drop-after') expect(second).toMatchObject({ kind: 'unknownOutcome', message: expect.stringContaining(`It may be ${there.find((id) => id !== first['id'])}`) as string });
    else expect(second).toMatchObject({ id: there.find((id) => id !== first['id']), signing_secret: expect.any(String) as string });
  });

  it('two items subscribe one after another, and neither deletes what the other made', async () => {
    const { client, sandbox } = await begin();
    sandbox.faults.add({ route: 'POST /v1/hooks', kind: 'drop-after', after: 1 });
    const create = (event: EventName) => settledly(createSubscription.run(client, { url: wanted.url, events: [event] }, {}));
    const [first, second] = await Promise.all([create('BOOKING_CREATED'), create('BOOKING_CANCELLED')]);
    const there = sandbox.subscriptions().map(({ id }) => id);
    expect(there).toContain((first as { id?: string }).id);
    expect(there).toHaveLength(2);
    expect(second).toMatchObject({ kind: 'unknownOutcome' });
    expect((second as Error).message).not.toContain(String((first as { id?: string }).id));
  });

  it('what another program makes there meanwhile is never deleted', async () => {
    const { client, clientWith, sandbox } = await begin();
    const theirs = clientWith({});
    sandbox.faults.add({ route: 'POST /v1/hooks', kind: 'drop-before' });
    const ours = settledly(createSubscription.run(client, { url: wanted.url, events: ['BOOKING_CREATED'] }, {}));
    const made = await createSubscription.run(theirs, { url: wanted.url, events: ['BOOKING_CREATED'] }, {});
    await ours;
    expect(sandbox.subscriptions().map(({ id }) => id)).toContain(made['id']);
  });
});

