import { booking } from '../shared/records/samples.ts';

const zones = ['Europe/Madrid', 'America/New_York', 'Asia/Tokyo', 'Europe/London', 'Asia/Kolkata'];
const answers = [
  { topic: 'The new website', company: 'Brightside Studio' },
  {
    company: 'Analytical Engines',
    goals: 'A new website before the summer.',
    team_size: 12,
    nda_signed: true,
    budget: '5,000 to 20,000',
    services: ['Design', 'Support'],
  },
  { phone: '+34 600 000 042', urgent: false },
  {},
];
const day = 86_400_000;
const first = Date.parse('2029-07-02T07:00:00Z');

/** The canonical fields of G5, as the service sends them, without the fields that the core adds for people. */
const {
  invitee_start_time: _start,
  invitee_end_time: _end,
  invitee_first_name: _first,
  invitee_last_name: _last,
  answers: _answers,
  ...sent
} = booking;

/**
 * One of many bookings in one account: a year of meetings in five zones, some with answers and some without.
 *
 * @param id any value that is unique among them
 */
export function bookingOf(index: number, id: string): Record<string, unknown> {
  const start = first + (index % 365) * day + (index % 19) * 1_800_000;
  return {
    ...sent,
    id,
    start_time: new Date(start).toISOString(),
    end_time: new Date(start + 1_800_000).toISOString(),
    invitee_name: `Ada Lovelace the ${index}th`,
    invitee_email: `ada.${index}@example.com`,
    invitee_timezone: zones[index % zones.length],
    question_responses: answers[index % answers.length],
  };
}
