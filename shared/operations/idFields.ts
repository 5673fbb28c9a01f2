/** The properties of a field that takes the id of a record: a person can choose the record from its list, or enter the id. */
export const ofBooking = { label: 'Booking', control: 'text', lookup: 'bookings' } as const;
export const ofContact = { label: 'Contact', control: 'text', lookup: 'contacts' } as const;
export const ofEventType = { label: 'Event Type', control: 'text', lookup: 'eventTypes' } as const;
