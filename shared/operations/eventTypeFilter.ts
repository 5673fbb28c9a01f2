import * as z from 'zod/v4';
import { ServiceError } from '../serviceError.ts';
import type { EventTypeRecord, RecordKind } from '../records/fields.ts';
import type { Client } from '../client/client.ts';
import { field } from './define.ts';
import { refusedFilters } from './refusedForm.ts';
import { checkExists, firstEventTypes, idInstead, isNameOf } from './eventType.ts';
import { formFields, type FormField } from './form.ts';
import { eventNamed } from '../events.ts';
import { idText, isBlank, listIn, visible } from '../values.ts';

const eventTypeField = 'event_type_ids';
const eventTypesLabel = 'Event Types';

const TriggerFilter = {
  [eventTypeField]: field(z.array(z.string()).optional(), {
    label: eventTypesLabel,
    help: 'Limits the trigger to bookings of these event types. Leave empty for all',
    control: 'choices',
    lookup: 'eventTypes',
  }),
};

/** The filter fields of a trigger. A contact has no event type, so its triggers have none. */
export const filterFields = ({ record }: { record: RecordKind }): FormField[] => (record === 'booking' ? formFields(TriggerFilter) : []);

/**
 * The chosen ids or names of a field with several values, as text. On every platform, an expression may return anything: a single value,
 * numbers, a list as text, or nothing. Empty, unusable and repeated entries are ignored, and so are invisible characters.
 */
export function chosenTexts(value: unknown): string[] {
  const texts = [listIn(value)].flat().flatMap((each) => idText(each)?.split(/[,;\n]/) ?? []);
  return [...new Set(texts.map(visible))].filter((each) => !isBlank(each));
}

/** How a platform presents the filter. */
interface FilterShown {
  /** Whether someone filled it in, even if the value turned out empty, for example from an expression. */
  isSet?: boolean;
  /** Its label on the platform. */
  label?: string;
}

/**
 * The event types that a trigger is limited to; empty if it is not limited.
 *
 * @throws ServiceError `invalid` if the filter was filled in but names nothing, because every booking would pass
 */
export function chosenEventTypes(value: unknown, { isSet = false, label = eventTypesLabel }: FilterShown = {}): string[] {
  const chosen = chosenTexts(value);
  const isUntouched = value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
  if (chosen.length === 0 && (isSet || !isUntouched)) throw refusedFilters([{ key: eventTypeField, label }]);
  return chosen;
}

/** How many event types that are not in the list are looked up. */
const maxSought = 10;

/**
 * Makes sure that the event types of a new filter exist, because no booking would ever pass a nonexistent one. It costs one request, and
 * one more for each type that is not on the first page of the list. If the list cannot be read, the filter is accepted.
 *
 * @throws ServiceError `invalid` that names the types that do not exist, and the id of any that was entered by its name
 */
export async function checkEventTypes(client: Client, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const listed = await firstEventTypes(client);
  if (listed === undefined) return;
  const unlisted = ids.filter((id) => !listed.some((type) => type.id === id)).slice(0, maxSought);
  const complaints = (await Promise.all(unlisted.map((id) => complaintAbout(client, id, listed)))).filter((each) => each !== undefined);
  if (complaints.length === 0) return;
  throw new ServiceError('invalid', {
    message: `${complaints.join(' ')} No booking would ever pass this filter for ${complaints.length > 1 ? 'them' : 'it'}.`,
    advice: 'Choose from the list, or enter the ID.',
    fields: [{ field: eventTypeField, message: 'names an event type that does not exist' }],
  });
}

async function complaintAbout(client: Client, id: string, listed: readonly EventTypeRecord[]): Promise<string | undefined> {
  try {
    const found = listed.find(isNameOf(id)) ?? (await checkExists(client, id));
    return found === undefined || found.id === id ? undefined : idInstead(id, found);
  } catch (error) {
    if (error instanceof ServiceError) return `The event type "${id}" was not found. It may be deleted, or in another account.`;
    throw error;
  }
}

/** The names of the chosen events, which may be given in another notation, such as `Booking Created`. */
export const chosenEvents = (value: unknown): string[] => chosenTexts(value).map(eventNamed);
