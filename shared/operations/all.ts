/** Every operation, one per line. `displayOrder.ts` decides the order in which people see them. */
export { cancelBooking } from './booking/cancel.ts';
export { createBooking } from './booking/create.ts';
export { findBooking } from './booking/find.ts';
export { getBooking } from './booking/get.ts';
export { getBusyTimes } from './booking/getBusy.ts';
export { getManyBookings } from './booking/getMany.ts';
export { findContact, getContact, getManyContacts, searchContacts } from './contact.ts';
export { getEventType, getManyEventTypes } from './eventType.ts';
export { createSubscription, deleteSubscription, getManySubscriptions } from './subscription.ts';
export { getCurrentUser } from './user.ts';
