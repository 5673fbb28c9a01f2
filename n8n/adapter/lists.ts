import type {
  FieldType,
  ILoadOptionsFunctions,
  INodeListSearchItems,
  INodeListSearchResult,
  INodePropertyOptions,
  ResourceMapperField,
  ResourceMapperFields,
} from 'n8n-workflow';
import { type Choice, type LookupName, lookups, questionsForForm, operations } from '../../shared/operations/index.ts';
import type { Question } from '../../shared/reading/index.ts';
import type { Client } from '../../shared/client/index.ts';
import { isObject } from '../../shared/values.ts';
import { answersSource, choiceKey } from './answers.ts';
import { nodeError } from './errors.ts';
import { eventTypesMethod, parameterName, questionsMethod, searchMethod } from './names.ts';
import { plainValue } from './parameters.ts';
import { clientFor } from './connection.ts';

/** Reads something for a panel, and throws errors in the form that n8n shows. */
async function forPanel<Read>(panel: ILoadOptionsFunctions, read: (client: Client) => Promise<Read>): Promise<Read> {
  try {
    return await read(await clientFor(panel));
  } catch (error) {
    throw nodeError(panel.getNode(), error);
  }
}

/** One page of a searchable list. n8n passes the typed text and the token of the page. */
export const search = (
  panel: ILoadOptionsFunctions,
  lookup: LookupName,
  filter?: string,
  paginationToken?: unknown,
): Promise<INodeListSearchResult> =>
  forPanel(panel, async (client) => {
    const { choices, cursor, note } = await lookups[lookup](client, {
      text: filter,
      cursor: typeof paginationToken === 'string' ? paginationToken : undefined,
    });
    const results = choices.map(({ value, label }): INodeListSearchItems => ({ name: label, value }));
    // n8n's lists cannot show a note, so the note is an entry that selects nothing: the first of a list, or the last if the list ends
    // early.
    const isFirst = typeof paginationToken !== 'string';
    if (note !== undefined && isFirst) results.unshift({ name: note, value: '' });
    else if (note !== undefined && cursor === undefined) results.push({ name: note, value: '' });
    return { results, ...(cursor !== undefined && { paginationToken: cursor }) };
  });

/** n8n's field type for each kind of question. As a `Record`, it makes the compiler require a type for each new kind. */
const types: Record<Question['control'], FieldType> = {
  text: 'string',
  multiline: 'string',
  email: 'string',
  phone: 'string',
  url: 'string',
  timeZone: 'string',
  dateTime: 'dateTime',
  number: 'number',
  boolean: 'boolean',
  date: 'dateTime',
  choice: 'options',
  // n8n has no field for several choices, so each choice is a switch.
  choices: 'boolean',
  events: 'array',
  answers: 'object',
};

/** The questions of the event type chosen in the panel, as the fields of a resource mapper. */
async function questionFields(panel: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
  const operation = operations.find(
    ({ resource, name }) => resource === panel.getCurrentNodeParameter('resource') && name === panel.getCurrentNodeParameter('operation'),
  );
  const source = operation && answersSource(operation);
  const raw = source && panel.getCurrentNodeParameter(parameterName(source.key));
  const chosen = plainValue(raw);
  // An expression that cannot be evaluated yet arrives empty or unevaluated.
  if (typeof chosen !== 'string' || chosen === '' || chosen.startsWith('='))
    return { fields: [], emptyFieldsNotice: isFromList(raw) ? notChosen : notKnown };
  const { questions, why } = await forPanel(panel, (client) => questionsForForm(client, chosen));
  const fields = questions.flatMap(mapperFields);
  // Without a notice, n8n would keep showing the previous one.
  return { fields, ...(fields.length === 0 && { emptyFieldsNotice: why === undefined ? noneAsked : `${why} ${elsewhere}` }) };
}

const isFromList = (raw: unknown): boolean => !isObject(raw) || raw['mode'] !== 'id';

const noneAsked = 'This event type asks no questions';
const elsewhere = 'If it asks any questions, choose Using JSON above';
const notChosen = 'Choose an event type to see its questions';
const notKnown =
  'The questions are shown once the event type is known. If an expression gives it, run the previous node first, or choose Using JSON above';

function mapperFields(question: Question): ResourceMapperField[] {
  const { key, label, control, required, choices } = question;
  if (control === 'choices') return choices.map((choice) => choiceField(question, choice));
  const list = choices.map(({ label: name, value }) => ({ name, value }));
  // An untouched switch would answer "no", so an optional question is a list with a blank choice.
  const yesOrNo =
    control === 'boolean' && !required
      ? [
          { name: 'Yes', value: true },
          { name: 'No', value: false },
        ]
      : undefined;
  const options = control === 'choice' ? list : yesOrNo;
  return [{ ...asked(key, label), required, type: options === undefined ? types[control] : 'options', ...(options && { options }) }];
}

/** One of several choices, as a switch. n8n cuts off labels after about 26 letters, so the choice comes before the question. */
const choiceField = ({ key, label, required }: Question, { value, label: choice }: Choice): ResourceMapperField => ({
  ...asked(choiceKey(key, value), `${choice} (${label}${required ? ', at least one' : ''})`),
  required: false,
  type: 'boolean',
  defaultValue: false,
});

const asked = (id: string, displayName: string) => ({ id, displayName, display: true, defaultMatch: false, canBeUsedToMatch: false });

type Search = (this: ILoadOptionsFunctions, filter?: string, paginationToken?: unknown) => Promise<INodeListSearchResult>;

/** The searchable lists of the panels: one method for each of the core's lookups. */
export const listSearch: Record<string, Search> = Object.fromEntries(
  (Object.keys(lookups) as LookupName[]).map((lookup) => [
    searchMethod(lookup),
    function (filter, paginationToken) {
      return search(this, lookup, filter, paginationToken);
    } satisfies Search,
  ]),
);

export const resourceMapping = {
  [questionsMethod](this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
    return questionFields(this);
  },
};

export const loadOptions = {
  /** All event types, for fields that take several. */
  [eventTypesMethod](this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
    return forPanel(this, async (client) => {
      const { choices, note } = await lookups.eventTypes(client, {});
      const options = choices.map(({ value, label }): INodePropertyOptions => ({ name: label, value }));
      if (note !== undefined) {
        const name = `Only the first ${options.length.toLocaleString('en')} are listed. Enter other IDs with an expression.`;
        options.unshift({ name, value: '' });
      }
      return options;
    });
  },
};
