import { brand } from '../../shared/brand.ts';
import { actionsOf, staticInputs, staticOutputs, type Action, type Definition, type OutputField } from './definition.ts';

/**
 * The rules that Zapier applies to an app before it may be published, as far as the definition shows them. Each comes with a change that
 * breaks it, so that a rule that notices nothing is found.
 */
export interface Rule {
  /** The number in Zapier's reference of integration checks, or the guideline from which it comes. */
  id: string;
  says: string;
  /** What breaks the rule, one line each. */
  complaints: (app: Definition) => string[];
  /** Breaks the rule, in a copy. */
  spoil: (app: Definition) => void;
}

const perAction = (judge: (action: Action, app: Definition) => (string | false)[]) => (app: Definition) =>
  actionsOf(app).flatMap((action) =>
    judge(action, app)
      .filter((line) => line !== false)
      .map((line) => `${action.key}: ${line}`),
  );

const perInput = (judge: (field: ReturnType<typeof staticInputs>[number], app: Definition) => string | false) =>
  perAction((action, app) => staticInputs(action).map((field) => judge(field, app)));

function first(actions: Record<string, Action>): Action {
  const [action] = Object.values(actions);
  if (action === undefined) throw new Error('The definition has no such action.');
  return action;
}

function firstInput(app: Definition) {
  const [field] = staticInputs(first(app.creates));
  if (field === undefined) throw new Error('The first action has no field.');
  return field;
}

const titleCase = /^[A-Z][a-z]+( (or|and|of|to) [A-Z][a-z]+| [A-Z][a-z]+)*$/;
const withZone = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}.*(Z|[+-]\d{2}:\d{2})$/;
const bareAddress = /(?<![`(])\bhttps?:\/\/\S+/;

/** The sample's values that do not have the type that their field promises. */
function mistyped(sample: Record<string, unknown>, fields: readonly OutputField[]): string[] {
  return fields.flatMap(({ key, type, list, children }) => {
    const value = sample[key];
    if (value === undefined || value === null) return [];
    if (children !== undefined || list === true)
      return Array.isArray(value)
        ? value.flatMap((item: Record<string, unknown>) => mistyped(item, children ?? []))
        : [`${key} is no list`];
    if (type === 'datetime') return typeof value === 'string' && withZone.test(value) ? [] : [`${key} is no time with a zone`];
    return type === undefined || typeof value === type ? [] : [`${key} is no ${type}`];
  });
}

export const rules: readonly Rule[] = [
  {
    id: 'D001',
    says: 'no field asks for a credential',
    complaints: perInput(({ key, label = '' }) => /api.?key|token|secret|password/i.test(`${key} ${label}`) && key),
    spoil: (app) => (firstInput(app).key = 'api_key'),
  },
  {
    id: 'D003',
    says: 'the connection has a label',
    complaints: ({ authentication }) => (/^\{\{\w+\}\}$/.test(authentication.connectionLabel) ? [] : ['connectionLabel']),
    spoil: (app) => (app.authentication.connectionLabel = ''),
  },
  {
    id: 'D004',
    says: 'a field for an id is a dropdown',
    complaints: perInput(
      ({ key, choices }) => /_ids?$/.test(key) && typeof Reflect.get(Object(choices) as object, 'perform') !== 'string' && key,
    ),
    spoil: (app) => delete firstInput(app).choices,
  },
  {
    id: 'D005',
    says: 'no dropdown rests on a trigger that does not exist',
    complaints: perInput(
      ({ key, dynamic }, { triggers }) => dynamic !== undefined && !Object.hasOwn(triggers, dynamic.split('.')[0] ?? '') && key,
    ),
    spoil: (app) => (firstInput(app).dynamic = 'nowhere.id.name'),
  },
  {
    id: 'D006',
    says: 'every instant trigger can show recent records',
    complaints: ({ triggers }) =>
      Object.values(triggers)
        .filter(({ operation }) => operation.performList === undefined)
        .map(({ key }) => key),
    spoil: (app) => delete first(app.triggers).operation.performList,
  },
  {
    id: 'D007',
    says: 'every address is https',
    complaints: (app) => JSON.stringify(app).match(/http:\/\/[^"\s]*/g) ?? [],
    spoil: (app) => (firstInput(app).helpText = 'See http://example.com'),
  },
  {
    id: 'D008',
    says: 'no bare address stands in a help text',
    complaints: perInput(({ key, helpText = '' }) => bareAddress.test(helpText) && key),
    spoil: (app) => (firstInput(app).helpText = 'See https://example.com'),
  },
  {
    id: 'D009',
    says: 'a search asks for something',
    complaints: ({ searches }) =>
      Object.values(searches)
        .filter((search) => staticInputs(search).length === 0)
        .map(({ key }) => key),
    spoil: (app) => (first(app.searches).operation.inputFields = []),
  },
  {
    id: 'D010',
    says: 'the sample has the primary key',
    complaints: perAction(({ operation }) => [typeof operation.sample['id'] !== 'string' && 'no id']),
    spoil: (app) => delete first(app.triggers).operation.sample['id'],
  },
  {
    id: 'D011',
    says: 'a help text is not its label',
    complaints: perInput(({ key, label = '', helpText = '' }) => helpText.replace(/\.$/, '').toLowerCase() === label.toLowerCase() && key),
    spoil: (app) => Object.assign(firstInput(app), { label: 'Event Type', helpText: 'Event type.' }),
  },
  {
    id: 'D012',
    says: 'there is a sample',
    complaints: perAction(({ operation }) => [Object.keys(operation.sample).length === 0 && 'no sample']),
    spoil: (app) => (first(app.creates).operation.sample = {}),
  },
  {
    id: 'D013',
    says: 'a field that a search may fill names one that exists',
    complaints: perInput(
      ({ key, search }, { searches }) => search !== undefined && !Object.hasOwn(searches, search.split('.')[0] ?? '') && key,
    ),
    spoil: (app) => (firstInput(app).search = 'find_nothing.id'),
  },
  {
    id: 'D014',
    says: 'a field that a search may fill is a dropdown too',
    complaints: perInput(({ key, search, choices }) => search !== undefined && choices === undefined && key),
    spoil: (app) => Object.assign(firstInput(app), { search: 'find_booking.id', choices: undefined }),
  },
  {
    id: 'D015',
    says: '"find or create" joins a search and an action that exist',
    complaints: ({ searches, creates, searchOrCreates }) =>
      Object.entries(searchOrCreates)
        .filter(([key, { search, create }]) => key !== search || !Object.hasOwn(searches, search) || !Object.hasOwn(creates, create))
        .map(([key]) => key),
    spoil: (app) => Object.values(app.searchOrCreates).forEach((pair) => (pair.create = 'create_nothing')),
  },
  {
    id: 'D016, D017',
    says: 'an instant trigger subscribes and unsubscribes',
    complaints: ({ triggers }) =>
      Object.values(triggers)
        .filter(
          ({ operation }) =>
            operation.type !== 'hook' || operation.performSubscribe === undefined || operation.performUnsubscribe === undefined,
        )
        .map(({ key }) => key),
    spoil: (app) => delete first(app.triggers).operation.performUnsubscribe,
  },
  {
    id: 'D018',
    says: 'labels are in Title Case',
    complaints: perAction(({ display, noun }) => [!titleCase.test(display.label) && display.label, !titleCase.test(noun) && noun]),
    spoil: (app) => (first(app.creates).display.label = 'create a booking'),
  },
  {
    id: 'D021',
    says: 'a trigger is described as "Triggers when ... ."',
    complaints: ({ triggers }) =>
      Object.values(triggers)
        .filter(({ display }) => !/^Triggers when [^.]+\.$/.test(display.description))
        .map(({ key }) => key),
    spoil: (app) => (first(app.triggers).display.description = 'When a booking is created'),
  },
  {
    id: 'D022',
    says: 'an action has fields that are always there',
    complaints: ({ creates }) =>
      Object.values(creates)
        .filter((create) => staticInputs(create).length === 0)
        .map(({ key }) => key),
    spoil: (app) => (first(app.creates).operation.inputFields = ['$func$2$f$']),
  },
  {
    id: 'D023',
    says: 'times in samples carry their zone',
    complaints: perAction(({ operation }) =>
      Object.entries(operation.sample).map(
        ([key, value]) => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value) && !withZone.test(value) && key,
      ),
    ),
    spoil: (app) => (first(app.creates).operation.sample['start_time'] = '2030-01-31 09:00'),
  },
  {
    id: 'D024',
    says: 'the sample keeps the types that its fields promise',
    complaints: perAction((action) => mistyped(action.operation.sample, staticOutputs(action))),
    spoil: (app) => (first(app.creates).operation.sample['status'] = 1),
  },
  {
    id: 'D025',
    says: 'nothing holds a dangerous address',
    complaints: (app) => JSON.stringify(app).match(/(javascript|vbscript|data):[^"\s]*/gi) ?? [],
    spoil: (app) => (firstInput(app).helpText = '[here](javascript:alert(1))'),
  },
  {
    id: 'Guideline: wording',
    says: 'an action is described in the third person, and ends with a full stop',
    complaints: ({ creates, searches }) =>
      [...Object.values(creates), ...Object.values(searches)]
        .filter(({ display }) => !/^[A-Z][a-z]+s a [^.]+\.$/.test(display.description))
        .map(({ key }) => key),
    spoil: (app) => (first(app.searches).display.description = 'Find a booking'),
  },
  {
    id: 'Guideline: names',
    says: 'the name of the app stands in no label and no description',
    complaints: perAction(({ display }) => [`${display.label} ${display.description}`.includes(brand.name) && display.label]),
    spoil: (app) => (first(app.creates).display.label = `Create ${brand.name} Booking`),
  },
  {
    id: 'Guideline: searches',
    says: 'a search is called "Find ..."',
    complaints: ({ searches }) =>
      Object.values(searches)
        .filter(({ display }) => !display.label.startsWith('Find '))
        .map(({ key }) => key),
    spoil: (app) => (first(app.searches).display.label = 'Get Booking'),
  },
  {
    id: 'Guideline: ids',
    says: 'nobody is asked for an "ID"',
    complaints: perInput(({ key, label = '' }) => /\bID\b/i.test(label) && key),
    spoil: (app) => (firstInput(app).label = 'Event Type ID'),
  },
  {
    id: 'Guideline: order',
    says: 'required fields come first',
    complaints: perAction((action) => {
      const required = staticInputs(action).map((field) => field.required === true);
      return [
        required.lastIndexOf(true) > required.indexOf(false) && required.includes(false) && 'a required field stands after an optional one',
      ];
    }),
    spoil: (app) => (firstInput(app).required = false),
  },
  {
    id: 'Guideline: paging',
    says: 'a search gives its results in pages',
    complaints: ({ searches }) =>
      Object.values(searches)
        .filter(({ operation }) => operation.canPaginate !== true)
        .map(({ key }) => key),
    spoil: (app) => (first(app.searches).operation.canPaginate = false),
  },
];
