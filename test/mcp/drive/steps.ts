import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import type { Sandbox } from '../../../sandbox/service.ts';

/** What earlier steps left for later ones. */
type Known = Record<string, string>;

export interface Step {
  tool: string;
  does: string;
  given: (known: Known) => Record<string, unknown>;
  /** What must be true of the answer; what it leaves for later steps. @throws where it is not */
  check: (answer: CallToolResult, known: Known) => void;
}

type Answer = Record<string, unknown> & { records?: Record<string, unknown>[] };

function must(isSo: boolean, answer: CallToolResult): void {
  if (!isSo) throw new Error(`not as it should be: ${JSON.stringify(answer).slice(0, 600)}`);
}

const inside = (answer: CallToolResult): Answer => (answer.structuredContent ?? {}) as Answer;
const first = (answer: CallToolResult): Record<string, unknown> => inside(answer).records?.[0] ?? {};

/** Every tool once, in the order in which an agent would need them. */
export const steps = ({ account }: Pick<Sandbox, 'account'>): Step[] => [
  {
    tool: 'get_current_user',
    does: 'says whose account it is',
    given: () => ({}),
    check: (answer) => must(inside(answer)['email'] === account.email, answer),
  },
  {
    tool: 'list_event_types',
    does: 'lists what can be booked',
    given: () => ({}),
    check(answer, known) {
      const kind = inside(answer).records?.find(({ name }) => name === 'Project Kick-off');
      must(kind !== undefined, answer);
      known['type'] = String(kind?.['id']);
    },
  },
  {
    tool: 'get_event_type',
    does: 'tells the questions of one',
    given: ({ type }) => ({ event_type_id: type }),
    check: (answer) => must(JSON.stringify(inside(answer)['questions']).includes('"company"'), answer),
  },
  {
    tool: 'create_booking',
    does: 'names the questions that are missing',
    given: ({ type }) => ({
      event_type_id: type,
      start_time: '2031-01-15T10:00:00+01:00',
      invitee_name: 'Ada Lovelace',
      invitee_email: 'ada@example.com',
    }),
    check: (answer) => must(answer.isError === true && JSON.stringify(answer).includes('question_responses.company'), answer),
  },
  {
    tool: 'create_booking',
    does: 'refuses a start without a zone',
    given: ({ type }) => ({
      event_type_id: type,
      start_time: '2031-01-15T10:00:00',
      invitee_name: 'Ada Lovelace',
      invitee_email: 'ada@example.com',
    }),
    check: (answer) => must(answer.isError === true && JSON.stringify(answer).includes('no time zone is set'), answer),
  },
  {
    tool: 'create_booking',
    does: 'books, and tells both clocks',
    given: ({ type }) => ({
      event_type_id: type,
      start_time: '2031-01-15T10:00:00+01:00',
      invitee_name: 'Ada Lovelace',
      invitee_email: 'ada@example.com',
      invitee_timezone: 'America/New_York',
      question_responses: { company: 'Analytical Engines', budget: 'Up to 5,000' },
    }),
    check(answer, known) {
      must(
        inside(answer)['host_start_time'] === '2031-01-15T10:00:00+01:00' &&
          inside(answer)['invitee_start_time'] === '2031-01-15T04:00:00-05:00',
        answer,
      );
      known['booking'] = String(inside(answer)['id']);
    },
  },
  {
    tool: 'get_booking',
    does: 'reads it',
    given: ({ booking }) => ({ booking_id: booking }),
    check: (answer, { booking }) => must(inside(answer)['id'] === booking, answer),
  },
  {
    tool: 'list_bookings',
    does: "finds it by the invitee's address",
    given: () => ({ email: 'ADA@example.com' }),
    check: (answer, { booking }) => must(first(answer)['id'] === booking, answer),
  },
  {
    tool: 'list_contacts',
    does: 'gives ten, and where to go on',
    given: () => ({}),
    check: (answer) => must(inside(answer).records?.length === 10 && typeof inside(answer)['next_cursor'] === 'string', answer),
  },
  {
    tool: 'search_contacts',
    does: 'finds a contact',
    given: () => ({ email: 'ada@example.com' }),
    check(answer, known) {
      must(first(answer)['email'] === 'ada@example.com', answer);
      known['contact'] = String(first(answer)['id']);
    },
  },
  {
    tool: 'get_contact',
    does: 'reads it',
    given: ({ contact }) => ({ contact_id: contact }),
    check: (answer, { contact }) => must(inside(answer)['id'] === contact, answer),
  },
  {
    tool: 'create_subscription',
    does: 'subscribes, and shows the secret once',
    given: () => ({ url: 'http://127.0.0.1:9/hooks', events: ['BOOKING_CREATED'] }),
    check(answer, known) {
      must(typeof inside(answer)['signing_secret'] === 'string', answer);
      known['subscription'] = String(inside(answer)['id']);
    },
  },
  {
    tool: 'list_subscriptions',
    does: 'lists it without its secret',
    given: () => ({}),
    check: (answer) => must(inside(answer).records?.length === 1 && !JSON.stringify(answer).includes('whsec_'), answer),
  },
  {
    tool: 'delete_subscription',
    does: 'deletes it, with leave',
    given: ({ subscription }) => ({ subscription_id: subscription, confirm: true }),
    check: (answer) => must(inside(answer)['deleted'] === true, answer),
  },
  {
    tool: 'cancel_booking',
    does: 'asks for leave first',
    given: ({ booking }) => ({ booking_id: booking }),
    check: (answer) => must(answer.isError === true && JSON.stringify(answer).includes('nothing was changed'), answer),
  },
  {
    tool: 'cancel_booking',
    does: 'cancels, with leave',
    given: ({ booking }) => ({ booking_id: booking, confirm: true }),
    check: (answer) => must(inside(answer)['status'] === 'CANCELLED', answer),
  },
];

/** Plays a step. */
export async function play({ tool, given, check }: Step, client: Client, known: Known): Promise<void> {
  check(await client.callTool({ name: tool, arguments: given(known) }), known);
}
