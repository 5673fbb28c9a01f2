import type { Operation } from '../define.ts';
import { cancelBooking } from './booking/cancel.ts';
import { createBooking } from './booking/create.ts';
import { findBooking } from './booking/find.ts';
import { getBooking } from './booking/get.ts';
import { getManyBookings } from './booking/getMany.ts';
import { findContact } from './contact/find.ts';
import { getContact } from './contact/get.ts';
import { getManyContacts } from './contact/getMany.ts';
import { searchContacts } from './contact/search.ts';
import { getEventType } from './eventType/get.ts';
import { getManyEventTypes } from './eventType/getMany.ts';
import { createSubscription } from './subscription/create.ts';
import { deleteSubscription } from './subscription/delete.ts';
import { getManySubscriptions } from './subscription/getMany.ts';
import { getCurrentUser } from './user/getCurrent.ts';

export {
  cancelBooking,
  createBooking,
  createSubscription,
  deleteSubscription,
  findBooking,
  findContact,
  getBooking,
  getContact,
  getCurrentUser,
  getEventType,
  getManyBookings,
  getManyContacts,
  getManyEventTypes,
  getManySubscriptions,
  searchContacts,
};

/** One operation for each endpoint of section 4 and its uses: the whole menu, in order. */
export const operations: readonly Operation[] = [
  cancelBooking,
  createBooking,
  getBooking,
  getManyBookings,
  getContact,
  getManyContacts,
  searchContacts,
  getEventType,
  getManyEventTypes,
  getCurrentUser,
  createSubscription,
  deleteSubscription,
  getManySubscriptions,
];

/** Look-ups that end in the best match or in nothing, for platforms that know searches. */
export const searches: readonly Operation[] = [findBooking, findContact];
