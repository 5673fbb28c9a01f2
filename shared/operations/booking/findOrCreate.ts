import { ServiceError } from '../../api/errors.ts';
import { createBooking } from './create.ts';
import { findBooking } from './find.ts';

/** For each field of the search that decides whether a booking exists: the fields of both forms in which it may stand. */
const deciding = { email: ['email', 'invitee_email'], event_type_id: ['event_type_id'], start_time: ['start_time'] } as const;

/** Fields that only the form of the creation has: whoever filled one of them in wants a booking made. */
const onlyInCreation = Object.keys(createBooking.input).filter((key) => !Object.hasOwn(findBooking.input, key));

/** "Create it if it is not found", for platforms that join a search and a creation into one step. */
export const findOrCreateBooking = {
  search: findBooking,
  create: createBooking,
  label: 'Find or Create Booking',
  description: "Finds an invitee's booking by event type and start, or creates it",

  /**
   * What to look for in a step that also creates: by e-mail, type *and* start, nothing less and nothing else, so that an
   * old booking never stops a new one. Of such a search cancelled bookings are no answer. `undefined` where the form
   * holds nothing of the creation: then it is a search like any other.
   *
   * @throws ServiceError `invalid` where one of the three is missing.
   */
  searchInput: (raw: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined => {
    const isFilled = (key: string) => raw[key] !== undefined && raw[key] !== null && raw[key] !== '';
    if (!onlyInCreation.some(isFilled)) return undefined;
    const entries = Object.entries(deciding).map(([field, places]) => [field, places.find(isFilled)] as const);
    const missing = entries.filter(([, place]) => place === undefined).map(([field]) => field);
    if (missing.length > 0) {
      throw new ServiceError('invalid', {
        message: "To find or create a booking, the invitee's email, the event type and the start are all needed.",
        advice: 'Fill in all three, or search without creating.',
        fields: missing.map((field) => ({ field, message: 'is required' })),
      });
    }
    return Object.fromEntries(entries.map(([field, place]) => [field, place === undefined ? undefined : raw[place]]));
  },
};
