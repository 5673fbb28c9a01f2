import '../support/goldenBrand.ts';
import { eventRows } from '../../shared/events.ts';
import { scopes } from '../../shared/oauth/scopes.ts';
import { promised, without } from '../support/golden.ts';
import { actionsOf, definition, schemaErrors, staticInputs, staticOutputs, type Action } from './definition.ts';

test('there are exactly seven triggers, two actions and two searches, and nothing is hidden', async () => {
  const app = await definition();
  expect([app.triggers, app.creates, app.searches].map((actions) => Object.keys(actions).length)).toEqual([7, 2, 2]);
  expect(actionsOf(app).filter(({ display }) => display.hidden === true)).toEqual([]);
});

test("the platform's own schema accepts the app", async () => {
  expect(await schemaErrors()).toEqual([]);
});

test('the triggers are the events of the table, in its order and its words', async () => {
  const { triggers } = await definition();
  expect(Object.values(triggers).map(({ key, noun, display }) => [key, noun, display.label, display.description])).toEqual(
    eventRows.map(({ key, noun, label, description }) => [key, noun, label, `${description}.`]),
  );
});

test('bookings can be filtered by event type, contacts cannot', async () => {
  const { triggers } = await definition();
  const filters = Object.values(triggers).map((trigger) => [
    trigger.noun,
    staticInputs(trigger).map(({ key, list, required }) => [key, list, required]),
  ]);
  expect(filters).toEqual(eventRows.map(({ noun, record }) => [noun, record === 'booking' ? [['event_type_ids', true, false]] : []]));
});

test('the connection asks for every scope, refreshes by itself, and sends PKCE', async () => {
  const { type, oauth2Config } = (await definition()).authentication;
  expect(type).toBe('oauth2');
  expect(oauth2Config.scope.split(' ').sort()).toEqual(Object.keys(scopes).sort());
  expect(oauth2Config).toMatchObject({ autoRefresh: true, enablePkce: true });
});

test('the event type changes the form of Create Booking, and nothing else does', async () => {
  const app = await definition();
  const altering = actionsOf(app).flatMap((action) =>
    staticInputs(action)
      .filter((field) => field.altersDynamicFields === true)
      .map((field) => `${action.key}.${field.key}`),
  );
  expect(altering).toEqual(['create_booking.event_type_id']);
});

test('every output field has a label in words', async () => {
  for (const action of actionsOf(await definition())) {
    for (const { key, label = '' } of staticOutputs(action))
      expect([action.key, key, label]).toEqual([action.key, key, expect.stringMatching(/^[A-Z]/)]);
  }
});

const words = new Set(['label', 'sample']);

test('the names that Zaps keep are the ones that were promised', async () => {
  const { triggers, creates, searches, ...rest } = await definition();
  const known = new Map<string, string>();
  /** The keys of what an action gives, with their types. A record is listed once. */
  const outputsOf = (action: Action): unknown => {
    const all = new Map<string, unknown>(Object.keys(action.operation.sample).map((key) => [key, 'any']));
    for (const { key, type, children } of staticOutputs(action)) all.set(key, children ? without(children, words) : type);
    const before = known.get(JSON.stringify([...all]));
    known.set(JSON.stringify([...all]), before ?? action.key);
    return before === undefined ? Object.fromEntries(all) : `as ${before}`;
  };
  const names = (actions: Record<string, Action>): unknown =>
    Object.fromEntries(
      Object.entries(actions).map(([key, action]) => [
        key,
        {
          ...without(action, new Set(['key', 'operation'])),
          ...without(action.operation, new Set(['sample'])),
          outputFields: outputsOf(action),
        },
      ]),
    );
  promised('zapier-app', {
    ...rest,
    triggers: names(triggers),
    creates: names(creates),
    searches: names(searches),
  });
});
