import type { Fault } from '../../sandbox/service.ts';
import { assertTypes, type Definition, type OutputField } from './definition.ts';
import { find, onSandbox, onStage, refused, typeNamed } from './stage.ts';
import { listOf } from '../support/wire.ts';
import { samplesOf } from '../support/zapierForm.ts';

const stage = onStage();

/** An event of each kind of record, by something that a person does outside the API. The contract itself delivers every event there is. */
const causes = {
  booking_created: () => stage.sandbox.host.book({ question_responses: { topic: 'Everything' } }),
  contact_updated: () => stage.sandbox.host.editContact(stage.sandbox.contacts()[0]?.id ?? '', { phone: '+34 600 123 456' }),
};

const sampleOf = async (key: string) => ((await stage.zapier.definition()) as Definition).triggers[key]?.operation.sample ?? {};
const at = (url: string) => stage.sandbox.subscriptions().filter((each) => each.url === url);

test.each([
  ['booking_created', 'booking'],
  ['contact_updated', 'contact'],
] as const)('%s: a real delivery, the list for testing and the static sample are one kind of record (T003 to T006)', async (key, kind) => {
  const zap = await stage.zapier.turnOn(key);
  causes[key]();
  const [outcome] = await zap.settled(1);
  const [live = {}] = outcome?.items ?? [];
  const [found = {}] = await find(stage, kind, { [`${kind}_id`]: live['id'] });
  const added = ['event', 'delivered_at', 'delivery_key'];
  expect(Object.keys(live).sort()).toEqual([...Object.keys(found), ...added].sort());
  // Each answer once, under its question.
  if (kind === 'booking') expect([live['answers'], 'question_responses' in live]).toEqual([{ topic: 'Everything' }, false]);

  const fields = (await stage.zapier.invoke(`triggers.${key}.operation.outputFields`)) as OutputField[];
  const samples = await samplesOf(stage.zapier, key);
  expect([samples.length > 0, samples.length <= 100]).toEqual([true, true]);
  for (const shown of [live, await sampleOf(key), ...samples]) {
    expect(shown).toMatchObject({ event: key.toUpperCase(), id: expect.any(String) as string });
    assertTypes(shown, fields);
    expect(Object.keys(shown).filter((key) => !Object.hasOwn(live, key))).toEqual([]);
  }
  await zap.turnOff();
  expect(at(zap.targetUrl)).toEqual([]);
});

test('the samples are of the chosen event types', async () => {
  const intro = typeNamed(stage, 'Intro Call');
  const samples = await samplesOf(stage.zapier, 'booking_created', { event_type_ids: [intro] });
  expect(new Set(samples.map(({ event_type_id: type }) => type))).toEqual(new Set([intro]));
});

test('an account without bookings shows the static sample instead of an error', async () => {
  // Once by the matching status, once by any.
  const body = listOf([]);
  stage.sandbox.faults.add({ route: 'GET /v1/bookings', kind: 'status', status: 200, body, times: 2 });
  expect(await samplesOf(stage.zapier, 'booking_approved')).toEqual([await sampleOf('booking_approved')]);
});

test('turning a Zap off also removes a subscription that came after the lost answer to its request', async () => {
  const { faults, clock, settled } = stage.sandbox;
  faults.add({ route: 'POST /v1/hooks', kind: 'late-commit', delayMs: 60_000 });
  const zap = await stage.zapier.turnOn('booking_created');
  await clock.advance(60_000);
  await settled();
  expect(at(zap.targetUrl)).toHaveLength(2);
  expect(Object.keys(zap.subscribeData).sort()).toEqual(['account', 'id', 'repeated', 'signing_secret']);
  // Its own subscription is what counts. The other one is looked for, and a failure to look is no failure.
  faults.add({ route: 'GET /v1/hooks', kind: 'status', status: 403, body: { error: 'Forbidden' } });
  await zap.turnOff();
  expect(at(zap.targetUrl)).toHaveLength(1);
  await zap.turnOff();
  expect(at(zap.targetUrl)).toEqual([]);
});

test('a Zap that is turned off after another account was connected says which account still has its subscription', () =>
  onSandbox(stage, {}, async ({ sandbox, zapier }) => {
    const zap = await zapier.turnOn('booking_created');
    const { id: accountId } = sandbox.addAccount({ email: 'grace@example.com' });
    const authData = zapier.authData ?? {};
    const first = authData['access_token'];
    authData['access_token'] = sandbox.issueToken({ accountId }).access_token;
    await refused(zap.turnOff(), 'AppError', 'is still in the account "morgan@host.example"', 'connect "morgan@host.example" again');
    expect(sandbox.subscriptions()).toHaveLength(1);
    authData['access_token'] = String(first);
    await zap.turnOff();
    expect(sandbox.subscriptions()).toEqual([]);
  }));

test('a Zap that could not be turned on is turned off without asking the service for anything', async () => {
  stage.sandbox.forgetRequests();
  for (const subscribeData of [undefined, {}, { id: 5 }])
    await stage.zapier.invoke('triggers.booking_created.operation.performUnsubscribe', { subscribeData });
  expect(stage.sandbox.requests()).toEqual([]);
});

test('a Zap whose subscription Zapier no longer knows is turned off by its address, and the log says so if there is none', async () => {
  const zap = await stage.zapier.turnOn('booking_created');
  const other = await stage.zapier.turnOn('booking_created');
  zap.subscribeData = {};
  await zap.turnOff();
  expect([at(zap.targetUrl), at(other.targetUrl)]).toEqual([[], [expect.anything()]]);
  const said = () =>
    stage.zapier.backend.logs.filter(({ message }) => message.includes('No webhook subscription of this Zap was found. If one is left'));
  const before = said().length;
  await zap.turnOff();
  expect(said()).toHaveLength(before + 1);
  await other.turnOff();
});

describe('the event types to which a Zap is limited', () => {
  const chosen = (...event_type_ids: string[]) => ({ event_type_ids });

  test('are refused if one does not exist, and nothing is subscribed', async () => {
    const before = stage.sandbox.subscriptions().length;
    const turningOn = stage.zapier.turnOn('booking_created', chosen(typeNamed(stage, 'Intro Call'), 'evt_gone'));
    await refused(turningOn, 'AppError', 'The event type "evt_gone" was not found.', 'Choose from the list, or enter the ID.');
    expect(stage.sandbox.subscriptions()).toHaveLength(before);
  });

  test('are refused if they are blank, and then nothing starts the Zap', async () => {
    const blank = { event_type_ids: ['\u200b', ' '] };
    await refused(stage.zapier.turnOn('booking_created', blank), 'AppError', '"Event Types" is set, but it is empty');
    const zap = await stage.zapier.turnOn('booking_created');
    Object.assign(zap.inputData, blank);
    causes.booking_created();
    expect((await zap.settled(1)).map(({ items, error }) => [items, error])).toEqual([[[], undefined]]);
    await zap.turnOff();
  });
});

// Only a run can stop without an error. Here, nobody would see why.
test.each([{}, { message: 'This address is already taken' }, { code: 'SLOT_TAKEN' }])(
  'turning a Zap on that ends in a 409 is an error: %j',
  async (body) => {
    stage.sandbox.faults.add({ route: 'POST /v1/hooks', kind: 'status', status: 409, body, times: 'always' });
    await refused(stage.zapier.turnOn('booking_created'), 'AppError', 'conflicts with the current state');
  },
);

test('the 26th live Zap is told that each subscription at its host is a Zap', () =>
  onSandbox(stage, {}, async ({ sandbox, zapier }) => {
    const { host } = new URL(zapier.backend.origin);
    for (let count = 0; count < 25; count += 1)
      sandbox.host.addSecretlessSubscription({ url: `${zapier.backend.origin}/${count}`, events: ['BOOKING_CREATED'] });
    await refused(zapier.turnOn('booking_created'), 'AppError', `25 at ${host}`, `Each at ${host} is a Zap`, 'Turn off unused triggers');
  }));

test('what an instant trigger logs contains no secret, nor does what its process prints', async () => {
  const zap = await stage.zapier.turnOn('booking_created');
  causes.booking_created();
  await zap.settled(1);
  const { backend, app, authData, environment } = stage.zapier;
  const { access_token, refresh_token } = authData ?? {};
  const written = JSON.stringify(backend.logs) + app.output;
  for (const secret of [zap.subscribeData['signing_secret'], access_token, refresh_token, environment.CLIENT_SECRET])
    expect([String(secret).length > 10, written.includes(String(secret))]).toEqual([true, false]);
  await zap.turnOff();
});

// Zapier runs nothing again when a Zap is turned on or off, so lost answers are told and not held.
test.each<[what: string, fault: Omit<Fault, 'route'>, kind: string, says: string]>([
  ['a 403', { kind: 'status', status: 403 }, 'AppError', 'webhooks:manage'],
  ['a 409', { kind: 'status', status: 409 }, 'AppError', 'conflicts with the current state'],
  ['a 429', { kind: 'status', status: 429 }, 'ThrottledError', 'has been reached'],
  ['lost answers', { kind: 'drop-before' }, 'AppError', 'may or may not be deleted'],
])('turning a Zap off that ends in %s is told without the bundle and without a secret', async (_, fault, kind, says) => {
  const zap = await stage.zapier.turnOn('booking_created');
  stage.sandbox.faults.add({ route: 'DELETE /v1/hooks/:id', times: 'always', ...fault });
  const { raw } = await refused(zap.turnOff(), kind, says);
  for (const secret of [zap.subscribeData['signing_secret'], stage.zapier.authData?.['access_token'], 'with bundle'])
    expect(raw).not.toContain(String(secret));
  stage.sandbox.faults.add({ route: 'POST /v1/hooks', kind: 'drop-before', times: 'always' });
  await refused(stage.zapier.turnOn('booking_created'), 'AppError', 'may or may not');
});
