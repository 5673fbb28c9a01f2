import { createBooking, findBooking, getBooking, getCurrentUser, getManyBookings } from '../../../shared/operations/index.ts';
import { aboutTheAccount, bare, hiding, inBetween, tokenAnswers, type InBetween } from '../../support/inBetween.ts';
import { bookingForm, formFor, somebody } from '../fixtures.ts';
import { refusalOf, requirement, told, type Requirement, type Stage } from '../platform.ts';

/**
 * One response of each status and type of body; the core's own test uses all of them. If the host keeps the tokens, a 401 only makes it
 * renew its token, so 401s are left out.
 */
function seenBy({ platform }: Pick<Stage, 'platform'>, answers: readonly InBetween[]): InBetween[] {
  const kinds = new Map(answers.map((each) => [`${each.status} ${each.headers?.['content-type']}`, each]));
  return [...kinds.values()].filter(({ status }) => platform.lacks.keepsTokens === undefined || status !== 401);
}

/** The account is not the cause, so nobody may be told to change something there. */
const blameless = (work: Promise<unknown>): Promise<void> =>
  refusalOf(work).then(({ message }) => expect(message).not.toMatch(aboutTheAccount));

/** Responses that something between the platform and the service sends. test/shared/intermediary.test.ts checks the core's words. */
export const between: readonly Requirement[] = [
  requirement(
    'in-between:answers:not-told-as-the-accounts',
    { source: 'RFC 6585, 6', alone: { forms: { slots: 'shared' } } },
    async (stage) => {
      const { sandbox, connection, platform } = stage;
      const offered = [getCurrentUser, getBooking, getManyBookings, findBooking].filter((operation) => platform.offers(operation));
      for (const answer of seenBy(stage, inBetween)) {
        sandbox.faults.add({ route: '*', kind: 'status', ...answer, times: 'always' });
        for (const operation of offered)
          await blameless(connection.runOperation(operation, { fields: formFor(operation, sandbox, false) }));
        sandbox.faults.clear();
      }
    },
  ),
  requirement('in-between:may-be-it:both-are-named', { source: 'section 7', uses: [getBooking], alone: {} }, async (stage) => {
    const { sandbox, connection } = stage;
    for (const answer of seenBy(stage, bare)) {
      sandbox.faults.add({ route: '*', kind: 'status', ...answer, times: 'always' });
      const { message } = await refusalOf(connection.runOperation(getBooking, { fields: { booking_id: 'bkg_1' } }));
      expect([answer, message]).toEqual([answer, expect.stringMatching(/no proxy or firewall|status 404, without a reason/)]);
      sandbox.faults.clear();
    }
  }),
  requirement(
    'in-between:answers-a-create:not-done-and-not-the-accounts-fault',
    { source: 'RFC 6585, 6', alone: {}, waits: true },
    async (stage) => {
      const { sandbox, connection } = stage;
      const before = sandbox.bookings().length;
      for (const answer of seenBy(stage, inBetween).filter(({ status }) => status >= 400 && status < 500)) {
        sandbox.faults.add({ route: '*', kind: 'status', ...answer, times: 'always' });
        await blameless(connection.runOperation(createBooking, { fields: bookingForm(sandbox, { invitee_email: somebody() }) }));
        sandbox.faults.clear();
      }
      expect(sandbox.bookings()).toHaveLength(before);
    },
  ),
  requirement(
    'in-between:answers-after-the-booking:found',
    { source: 'RFC 6585, 6', alone: { forms: { slots: 'shared' } } },
    async (stage) => {
      const { sandbox, connection } = stage;
      for (const answer of seenBy(stage, hiding)) {
        const fields = bookingForm(sandbox, { invitee_email: somebody() });
        sandbox.faults.add({ route: createBooking.endpoint, kind: 'status', ...answer, times: 'always', commits: true });
        const made = await told(connection.runOperation(createBooking, { fields }));
        expect([answer, made]).toMatchObject([answer, [{ invitee_email: fields['invitee_email'] }]]);
        expect(sandbox.bookings().filter((each) => each.invitee_email === fields['invitee_email'])).toHaveLength(1);
        sandbox.faults.clear();
      }
    },
  ),
  requirement(
    'in-between:answers-a-renewal:the-connection-stays',
    { source: 'RFC 6585, 6', needs: ['keepsTokens'], alone: {} },
    async (stage) => {
      const { sandbox } = stage;
      for (const answer of seenBy(stage, tokenAnswers).filter(({ status }) => [200, 401, 403, 502].includes(status))) {
        // A failed renewal is remembered for a while.
        const another = await stage.another();
        await sandbox.forward(2 * 60 * 60_000);
        sandbox.faults.add({ route: 'POST /api/oauth/token', kind: 'status', ...answer, times: 'always' });
        const { message } = await refusalOf(another.runOperation(createBooking, { fields: bookingForm(sandbox) }));
        expect([answer, message]).toEqual([answer, expect.not.stringMatching(aboutTheAccount)]);
        expect(message).toContain('Nothing was done');
        sandbox.faults.clear();
      }
    },
  ),
];
