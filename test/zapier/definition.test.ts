import '../support/goldenBrand.ts';
import { promised } from '../support/golden.ts';
import { actionsOf, definition, schemaErrors, staticInputs, staticOutputs, type Action } from './definition.ts';

test('there are exactly seven triggers, two actions and two searches, and nothing is hidden', async () => {
  const app = await definition();
  expect([app.triggers, app.creates, app.searches].map((actions) => Object.keys(actions).length)).toEqual([7, 2, 2]);
  expect(actionsOf(app).filter(({ display }) => display.hidden === true)).toEqual([]);
});

test("the platform's own schema accepts the app", async () => {
  expect(await schemaErrors()).toEqual([]);
});

test('every output field has a label in words', async () => {
  for (const action of actionsOf(await definition())) {
    for (const { key, label = '' } of staticOutputs(action))
      expect([action.key, key, label]).toEqual([action.key, key, expect.stringMatching(/^[A-Z]/)]);
  }
});

test('the definition is the one that was reviewed', async () => {
  promised('zapier-app', await definition());
});

test('the names that Zaps keep are the ones that were promised', async () => {
  const { triggers, creates, searches, searchOrCreates } = await definition();
  const names = (actions: Record<string, Action>) =>
    Object.fromEntries(
      Object.entries(actions).map(([key, action]) => [
        key,
        { inputs: staticInputs(action).map((field) => field.key), outputs: Object.keys(action.operation.sample) },
      ]),
    );
  promised('zapier-app-names', {
    triggers: names(triggers),
    creates: names(creates),
    searches: names(searches),
    searchOrCreates: Object.keys(searchOrCreates),
  });
});
