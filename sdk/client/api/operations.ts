import * as declared from '../../../shared/operations/all.ts';
import type { ClientOperation } from '../picked.ts';

// Made by `npm run docs` from the declared operations. Changes here affect everyone who builds on the package.

/** `client.bookings.cancel`. */
export const cancelBooking: ClientOperation<'bookings.cancel'> = declared.cancelBooking;

/** `client.bookings.create`. */
export const createBooking: ClientOperation<'bookings.create'> = declared.createBooking;

/** `client.bookings.get`. */
export const getBooking: ClientOperation<'bookings.get'> = declared.getBooking;

/** `client.bookings.busy`. */
export const busyBookings: ClientOperation<'bookings.busy'> = declared.getBusyTimes;

/** `client.bookings.list`. */
export const listBookings: ClientOperation<'bookings.list'> = declared.getManyBookings;

/** `client.contacts.get`. */
export const getContact: ClientOperation<'contacts.get'> = declared.getContact;

/** `client.contacts.list`. */
export const listContacts: ClientOperation<'contacts.list'> = declared.getManyContacts;

/** `client.contacts.search`. */
export const searchContacts: ClientOperation<'contacts.search'> = declared.searchContacts;

/** `client.eventTypes.get`. */
export const getEventType: ClientOperation<'eventTypes.get'> = declared.getEventType;

/** `client.eventTypes.list`. */
export const listEventTypes: ClientOperation<'eventTypes.list'> = declared.getManyEventTypes;

/** `client.users.current`. */
export const currentUser: ClientOperation<'users.current'> = declared.getCurrentUser;

/** `client.subscriptions.create`. */
export const createSubscription: ClientOperation<'subscriptions.create'> = declared.createSubscription;

/** `client.subscriptions.delete`. */
export const deleteSubscription: ClientOperation<'subscriptions.delete'> = declared.deleteSubscription;

/** `client.subscriptions.list`. */
export const listSubscriptions: ClientOperation<'subscriptions.list'> = declared.getManySubscriptions;

/** `client.bookings.find`. */
export const findBookings: ClientOperation<'bookings.find'> = declared.findBooking;

/** `client.contacts.find`. */
export const findContacts: ClientOperation<'contacts.find'> = declared.findContact;

/** All of them: `createClient`. */
export default [
  cancelBooking,
  createBooking,
  getBooking,
  busyBookings,
  listBookings,
  getContact,
  listContacts,
  searchContacts,
  getEventType,
  listEventTypes,
  currentUser,
  createSubscription,
  deleteSubscription,
  listSubscriptions,
  findBookings,
  findContacts,
];
