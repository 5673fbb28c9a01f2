import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brand } from '../../shared/brand.ts';
import { inMarkdown } from '../../tools/build/brand/replace.ts';
import { root } from '../../tools/root.cjs';
import { actionsOf, definition, staticInputs, staticOutputs, type Action, type Definition, type InputField } from './definition.ts';
import { assertTypes } from './outputs.ts';

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
const withZone = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}.*(Z|[+-]\d{2}:\d{2})$/;

/** Under their numbers in Zapier's reference of integration checks, or the guideline from which they come. What the platform's schema checks is left out. */
test.each<[id: string, says: string, complaints: Complaints]>([
  ['D001', 'no field asks for a credential', perInput(({ key, label }) => /api.?key|token|secret|password/i.test(`${key} ${label}`))],
  [
    'D004',
    'a field for an id is a dropdown',
    perInput(({ key, choices }) => /_ids?$/.test(key) && !Object.hasOwn(Object(choices) as object, 'perform')),
  ],
  [
    'D006',
    'every instant trigger can show recent records',
    ({ triggers }) => Object.values(triggers).filter((each) => !each.operation.performList),
  ],
  ['D010', 'the sample has the primary key', perAction(({ operation }) => typeof operation.sample['id'] !== 'string')],
  [
    'D011',
    'a help text is not its label',
    perInput(({ label = '', helpText = '' }) => helpText.toLowerCase() === `${label.toLowerCase()}.`),
  ],
  ['D018', 'labels are in Title Case', perAction(({ display, noun }) => !titleCase.test(display.label) || !titleCase.test(noun))],
  [
    'D021',
    'a trigger is described as "Triggers when ... ."',
    ({ triggers }) => Object.values(triggers).filter(({ display }) => !/^Triggers when [^.]+\.$/.test(display.description)),
  ],
  [
    'D023',
    'times in samples carry their zone',
    perAction(({ operation }) =>
      Object.values(operation.sample).some((value) => /^\d{4}-\d{2}-\d{2}/.test(String(value)) && !withZone.test(String(value))),
    ),
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
  [
    'Guideline: order',
    'required fields come first',
    perAction((action) => {
      const required = staticInputs(action).map((field) => field.required === true);
      return required.includes(false) && required.lastIndexOf(true) > required.indexOf(false);
    }),
  ],
])('Zapier publishes only if (%s) %s', async (_id, _says, complaints) => {
  expect(complaints(await definition())).toEqual([]);
});

test('the samples have the types that their fields promise (D024)', async () => {
  for (const action of actionsOf(await definition())) assertTypes(action.operation.sample, staticOutputs(action));
});

test('the description to paste into its form has the length and the beginning that it asks for (M002)', () => {
  const text = readFileSync(join(root, 'docs', 'provider', 'listings.md'), 'utf8').replaceAll(/<!--\/?name-->/g, '');
  const [, description = ''] = /\*\*Description\*\*.*?: (.*)/.exec(text) ?? [];
  expect(description).toMatch(/^.{40,140}$/);
  expect(description.startsWith(`${inMarkdown(brand.name)} is a `) && !description.includes('Zapier')).toBe(true);
});

test('the logo is a square PNG with transparency, as large as the largest that a platform asks for (M004)', () => {
  const header = readFileSync(join(root, 'mcp', 'icon.png'));
  // Width, height, and the type of colour: 6 is RGBA.
  expect([header.toString('latin1', 1, 4), header.readUInt32BE(16), header.readUInt32BE(20), header[25]]).toEqual(['PNG', 512, 512, 6]);
});
