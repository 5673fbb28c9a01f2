import { ServiceError } from '../../serviceError.ts';
import { isBlank } from '../../values.ts';
import { required } from '../../field.ts';
import { emptyFilter } from '../refusedForm.ts';
import { createBooking } from './create.ts';
import { findBooking } from './find.ts';

/** The fields that decide whether a booking exists, each with its names in the two forms. */
const deciding = { email: ['email', 'invitee_email'], event_type_id: ['event_type_id'], start_time: ['start_time'] } as const;

/** Fields that only the create form has: if one is filled in, a booking should be created. */
const onlyInCreation = Object.keys(createBooking.input).filter((key) => !Object.hasOwn(findBooking.input, key));

/** "Create it if it is not found", for platforms that combine a search and a create into one step. */
export const findOrCreateBooking = {
  search: findBooking,
  create: createBooking,
  label: 'Find or Create Booking',
  description: "Finds an invitee's booking by event type and start, or creates it",

  /**
   * The search in a step that also creates: by email, type *and* start together, so that an old booking never prevents a new one. Cancelled
   * bookings do not count. `undefined` if no field of the create form was filled in: then it is an ordinary search.
   *
   * @param raw the fields that someone filled in, even if their values turned out empty
   * @throws ServiceError `invalid` if one of the three is missing or empty
   */
  searchInput: (raw: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined => {
    const isSet = (key: string) => Object.hasOwn(raw, key);
    const isFilled = (key: string) => isSet(key) && !isBlank(raw[key]);
    if (!onlyInCreation.some(isSet)) return undefined;
    const entries = Object.entries(deciding).map(([field, places]) => ({ field, places, place: places.find(isFilled) }));
    const missing = entries.filter(({ place }) => place === undefined);
    if (missing.length > 0) {
      const labels = missing.map(({ field }) => `"${findBooking.input[field as keyof typeof deciding].label}"`).join(' and ');
      throw new ServiceError('invalid', {
        message: `To find or create a booking, the invitee's email, the event type and the start are all needed: ${labels} ${missing.length > 1 ? 'are' : 'is'} empty.`,
        advice: 'Fill in all three, or search without creating.',
        fields: missing.map(({ field, places }) => ({ field, message: places.some(isSet) ? emptyFilter : required })),
      });
    }
    return Object.fromEntries(entries.map(({ field, place = '' }) => [field, raw[place]]));
  },
};
