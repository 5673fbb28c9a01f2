// G4 to G7, G9 and G47, the names of fields. Seen: `attendees`, `start` and `end` (Cal.com), `cancel_url` at the invitee (Calendly), `start.dateTime` (Google Calendar), `target_url` (REST hooks).

import type { FieldOf, RecordKind } from '../records/fields.ts';

/** A place in a record, as the names on the way to it. */
export type Path = readonly string[];

/** Where else a link for the invitee may be: `cancel_link` for `cancel_url`, at the invitee, or in an object of links (G47). */
const otherLinks = (field: string, ...words: readonly string[]): string[][] =>
  words.flatMap((word) => [
    ...['url', 'link', 'uri']
      .map((ending) => `${word}_${ending}`)
      .flatMap((name) => (name === field ? [['invitee', name]] : [[name], ['invitee', name]])),
    ...['links', 'urls'].flatMap((links) => [
      [links, word, 'href'],
      [links, word],
    ]),
  ]);

/** Other places than its own name where a field may be. They are also tried in camel case. */
export const otherPlaces: { readonly [Kind in RecordKind]: { readonly [Field in FieldOf<Kind>]?: readonly Path[] } } = {
  // G4
  user: {
    timezone: [['time_zone']],
  },
  // G5
  booking: {
    invitee_name: [['invitee', 'name']],
    event_type_name: [['event_type', 'name'], ['event_type', 'title'], ['booking_type_name'], ['booking_type', 'name']],
    invitee_email: [['invitee', 'email']],
    start_time: [['times', 'start'], ['starts_at'], ['start_at'], ['start', 'dateTime'], ['start']],
    end_time: [['times', 'end'], ['ends_at'], ['end_at'], ['end', 'dateTime'], ['end']],
    invitee_timezone: [
      ['invitee', 'timezone'],
      ['invitee', 'time_zone'],
    ],
    reschedule_url: otherLinks('reschedule_url', 'reschedule'),
    cancel_url: otherLinks('cancel_url', 'cancel', 'cancellation'),
    booking_url: otherLinks('booking_url', 'booking', 'manage'),
    event_type_id: [['event_type', 'id'], ['booking_type_id'], ['booking_type', 'id']],
  },
  // G6
  eventType: {
    name: [['title']],
    questions: [['custom_questions']],
  },
  // G7
  contact: {
    timezone: [['time_zone']],
  },
  // G9
  subscription: {
    url: [['target_url']],
    events: [['event']],
  },
};
