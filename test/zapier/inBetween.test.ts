import { aboutTheAccount, hiding, inBetween, tokenAnswers, type InBetween } from '../support/inBetween.ts';
import { book, find, introCall, onStage } from './stage.ts';

const stage = onStage();

const answers = (route: string, answer: InBetween, more: { commits?: boolean } = {}) =>
  stage.sandbox.faults.add({ route, kind: 'status', ...answer, times: 'always', ...more });
const ended = (work: Promise<unknown>): Promise<{ kind?: string; message: string }> =>
  work.then(
    (value) => ({ message: `It gave ${JSON.stringify(value)}` }),
    (error: Error & { kind: string }) => error,
  );
/** Of a 401, the platform keeps only its own signal to refresh the token. */
const seen = inBetween.filter(({ status }) => status !== 401);

describe('in Zapier, what is not the answer of the service', () => {
  test.each(seen)('is not told as that of the account, nor as a result: %j', async (answer) => {
    const before = stage.sandbox.bookings().length;
    for (const work of [
      () => find(stage, 'booking', { invitee_email: 'ada@example.com' }),
      () => book(stage, introCall(stage)),
      () => stage.zapier.invoke('authentication.test'),
    ]) {
      answers('*', answer);
      const { kind, message } = await ended(work());
      stage.sandbox.faults.clear();
      expect([kind, message]).toEqual([expect.stringMatching(/^(?:AppError|ThrottledError)$/), expect.not.stringMatching(aboutTheAccount)]);
    }
    expect(stage.sandbox.bookings()).toHaveLength(before);
  });

  test.each(hiding)('hides no booking that was made: %j', async (answer) => {
    const before = stage.sandbox.bookings().length;
    answers('POST /v1/bookings', answer, { commits: true });
    expect(await book(stage, introCall(stage))).toMatchObject({ invitee_email: 'ada@example.com' });
    expect(stage.sandbox.bookings()).toHaveLength(before + 1);
  });

  test.each(tokenAnswers.filter(({ status }) => status !== 401))('ends no connection, and connects none: %j', async (answer) => {
    const { connection } = stage.zapier;
    for (const work of [() => stage.zapier.invoke('authentication.oauth2Config.refreshAccessToken'), () => stage.zapier.connect()]) {
      answers('POST /api/oauth/token', answer);
      const { kind, message } = await ended(work());
      stage.sandbox.faults.clear();
      expect([kind, message]).toEqual([expect.stringMatching(/^(?:AppError|ThrottledError)$/), expect.not.stringMatching(aboutTheAccount)]);
    }
    expect(stage.zapier.connection).toBe(connection);
  });
});
