import '../support/goldenBrand.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brand } from '../../shared/brand.ts';
import { root } from '../../tools/root.cjs';
import { promised, withoutWords } from '../support/golden.ts';
import { actionsOf, definition, staticInputs, staticOutputs, type Action, type Definition, type InputField } from './definition.ts';

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

test('the app has exactly as many triggers, actions and searches as were ordered', async () => {
  const { triggers, creates, searches } = await definition();
  expect([triggers, creates, searches].map((steps) => Object.keys(steps).length)).toEqual([7, 2, 2]);
});

/** What breaks a rule: one entry each. */
type Complaints = (app: Definition) => unknown[];

const perAction =
  (breaks: (action: Action) => unknown): Complaints =>
  (app) =>
    actionsOf(app).filter((action) => breaks(action));

const perInput =
  (breaks: (field: InputField) => unknown): Complaints =>
  (app) =>
    actionsOf(app)
      .flatMap((action) => staticInputs(action))
      .filter((field) => breaks(field));

const titleCase = /^[A-Z][a-z]+( (or|and|of|to) [A-Z][a-z]+| [A-Z][a-z]+)*$/;

/** Under their numbers in Zapier's reference of integration checks, or the guideline from which they come. What the platform's schema checks is left out, and so is what test/shared/declarations proves for all platforms. */
test.each<[id: string, says: string, complaints: Complaints]>([
  ['D001', 'no field asks for a credential', perInput(({ key, label }) => /api.?key|token|secret|password/i.test(`${key} ${label}`))],
  [
    'D004',
    'a field for an id is a dropdown',
    perInput(({ key, choices }) => /_ids?$/.test(key) && !Object.hasOwn(Object(choices) as object, 'perform')),
  ],
  ['D018', 'labels are in Title Case', perAction(({ display, noun }) => !titleCase.test(display.label) || !titleCase.test(noun))],
  [
    'D021',
    'a trigger is described as "Triggers when ... ."',
    ({ triggers }) => Object.values(triggers).filter(({ display }) => !/^Triggers when [^.]+\.$/.test(display.description)),
  ],
  [
    'Guideline: labels',
    'every output field has a label in words',
    perAction((action) => staticOutputs(action).some(({ label = '' }) => !/^[A-Z]/.test(label))),
  ],
  [
    'Guideline: wording',
    'an action is described in the third person, and ends with a full stop',
    ({ creates, searches }) =>
      Object.values({ ...creates, ...searches }).filter(({ display }) => !/^[A-Z][a-z]+s a [^.]+\.$/.test(display.description)),
  ],
  [
    'Guideline: names',
    'the name of the app stands in no label and no description',
    perAction(({ display }) => `${display.label} ${display.description}`.includes(brand.name)),
  ],
  [
    'Guideline: searches',
    'a search is called "Find ..."',
    ({ searches }) => Object.values(searches).filter(({ display }) => !display.label.startsWith('Find ')),
  ],
  [
    "Guideline: Zapier's own agents",
    'every field has a help text, which is understood without the rest of the form',
    perInput(({ helpText = '' }) => helpText === '' || /\b(above|below|previous|next|this field|see)\b/i.test(helpText)),
  ],
  ['Guideline: ids', 'nobody is asked for an "ID"', perInput(({ label = '' }) => /\bID\b/i.test(label))],
])('Zapier publishes only if (%s) %s', async (_id, _says, complaints) => {
  expect(complaints(await definition())).toEqual([]);
});

test('the description to paste into its form has the length and the beginning that it asks for (M002)', () => {
  const text = readFileSync(join(root, 'docs', 'provider', 'listings.md'), 'utf8');
  const [, name, rest = ''] = /\*\*Description\*\*.*?: <!--name-->(.*)<!--\/name-->(.*)/.exec(text) ?? [];
  expect(`${name}${rest}`).toMatch(/^.{40,140}$/);
  expect(rest).toMatch(/^ is a (?!.*Zapier)/);
});

test('the logo is a square PNG with transparency, as large as the largest that a platform asks for (M004)', () => {
  const header = readFileSync(join(root, 'mcp', 'icon.png'));
  // Width, height, and the type of colour: 6 is RGBA.
  expect([header.toString('latin1', 1, 4), header.readUInt32BE(16), header.readUInt32BE(20), header[25]]).toEqual(['PNG', 512, 512, 6]);
});

const text = readFileSync(join(root, 'docs', 'guides', 'zaps.md'), 'utf8');
const [, ...outlines] = text.split(/^## (?=\d+\. )/m).map((part) => part.split(/^## /m)[0] ?? '');

/** The names of fields in braces. */
const fieldsIn = (outline: string): string[] => [...outline.matchAll(/(?<!\{)\{([A-Z][^{}]*)\}/g)].map(([, name = '']) => name);

test('the Zap outlines are ten, and name only triggers, steps and fields that the app has', async () => {
  const app = await definition();
  const steps = new Map(actionsOf(app).map((action) => [action.display.label, [action]]));
  for (const { display, search, create } of Object.values(app.searchOrCreates))
    steps.set(
      display.label,
      [app.searches[search], app.creates[create]].flatMap((action) => action ?? []),
    );
  expect(outlines).toHaveLength(10);
  for (const outline of outlines) {
    const named = [...outline.matchAll(/\*\*(.+?)\*\*/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !steps.has(name))).toEqual([]);
    const used = named.flatMap((name) => steps.get(name) ?? []);
    expect(used.length).toBeGreaterThan(0);
    const labels = new Set(used.flatMap((action) => [...staticInputs(action), ...staticOutputs(action)]).map(({ label }) => label));
    expect(fieldsIn(outline).filter((name) => !labels.has(name))).toEqual([]);
  }
});
