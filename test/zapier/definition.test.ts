import '../support/goldenBrand.ts';
import { promised, withoutWords } from '../support/golden.ts';
import { limits } from '../../shared/limits.ts';
import { throttle } from '../../zapier/adapter/throttle.ts';
import { actionsOf, definition, handler, staticOutputs, type Action } from './definition.ts';

test('there are exactly seven triggers, two actions and two searches, and nothing is hidden', async () => {
  const app = await definition();
  expect([app.triggers, app.creates, app.searches].map((actions) => Object.keys(actions).length)).toEqual([7, 2, 2]);
  expect(actionsOf(app).filter(({ display }) => display.hidden === true)).toEqual([]);
});

test("the platform's own schema accepts the app", async () => {
  expect((await handler({ command: 'validate' })).results).toEqual([]);
});

test('all actions and searches of a connection share one count of the steps that Zapier starts in a minute', async () => {
  const { creates, searches } = await definition();
  expect(throttle).toMatchObject({ window: 60, limit: limits.requestsPerMinute / 2, scope: ['auth'] });
  for (const { operation } of Object.values({ ...creates, ...searches })) expect(operation).toMatchObject({ throttle });
});

test('every output field has a label in words', async () => {
  for (const action of actionsOf(await definition())) {
    for (const { key, label = '' } of staticOutputs(action))
      expect([action.key, key, label]).toEqual([action.key, key, expect.stringMatching(/^[A-Z]/)]);
  }
});

/** What a person reads, and the functions, of which nothing is shown. */
const words = new Set(['label', 'helpText', 'display', 'noun', 'placeholder', 'sample']);

test('the names that Zaps keep are the ones that were promised', async () => {
  const { triggers, creates, searches, ...rest } = await definition();
  const known = new Map<string, string>();
  /** The keys of what an action gives, with their types. A record is listed once. */
  const outputsOf = (action: Action): unknown => {
    const all = new Map<string, unknown>(Object.keys(action.operation.sample).map((key) => [key, 'any']));
    for (const { key, type, children } of staticOutputs(action)) all.set(key, children ? withoutWords(children, words) : type);
    const before = known.get(JSON.stringify([...all]));
    known.set(JSON.stringify([...all]), before ?? action.key);
    return before === undefined ? Object.fromEntries(all) : `as ${before}`;
  };
  const names = (actions: Record<string, Action>): unknown =>
    Object.fromEntries(
      Object.entries(actions).map(([key, action]) => [
        key,
        { ...(withoutWords(action.operation, words) as object), outputFields: outputsOf(action) },
      ]),
    );
  promised('zapier-app', {
    ...(withoutWords(rest, words) as object),
    triggers: names(triggers),
    creates: names(creates),
    searches: names(searches),
  });
});
