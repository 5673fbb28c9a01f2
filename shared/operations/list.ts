/** Every operation, one on each line. */
export { cancelBooking } from './booking/cancel.ts';
export { createBooking } from './booking/create.ts';
export { findBooking } from './booking/find.ts';
export { getBooking } from './booking/get.ts';
export { getBusyTimes } from './booking/getBusy.ts';
export { getManyBookings } from './booking/getMany.ts';
export { findContact } from './contact/find.ts';
export { getContact } from './contact/get.ts';
export { getManyContacts } from './contact/getMany.ts';
export { searchContacts } from './contact/search.ts';
export { getEventType } from './eventType/get.ts';
export { getManyEventTypes } from './eventType/getMany.ts';
export { createSubscription } from './subscription/create.ts';
export { deleteSubscription } from './subscription/delete.ts';
export { getManySubscriptions } from './subscription/getMany.ts';
export { getCurrentUser } from './user/getCurrent.ts';
