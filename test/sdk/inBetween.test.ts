import { ownTime } from '../../sdk/time.ts';
import { freePort } from '../../tools/process/freePort.ts';
import { agree } from '../../tools/rigs/mcp/connected.ts';
import { aboutTheAccount, bare, hiding, inBetween, tokenAnswers, type InBetween } from '../support/inBetween.ts';
import { until } from '../support/until.ts';
import { CommandLine } from './commandLine.ts';

let line: CommandLine;
beforeAll(async () => {
  line = await CommandLine.open();
  jest.spyOn(ownTime, 'sleep').mockResolvedValue();
});
afterAll(() => line.close());
afterEach(() => line.stage.sandbox.faults.clear());

const answers = (route: string, answer: InBetween, more: { commits?: boolean } = {}) =>
  line.stage.sandbox.faults.add({ route, kind: 'status', ...answer, times: 'always', ...more });
const options = (fields: Record<string, string>) =>
  Object.entries(fields).flatMap(([key, value]) => [`--${key.replaceAll('_', '-')}`, value]);
const create = async () => {
  const { wanted } = line.stage;
  const ran = await line.ran(['bookings', 'create', ...options(wanted)]);
  return { ...ran, made: line.stage.bookingsOf(wanted.invitee_email).length };
};

describe('on the command line, what is not the answer of the service', () => {
  test.each(inBetween)('is not told as that of the account: %j', async (answer) => {
    answers('*', answer);
    for (const command of [['status'], ['bookings', 'list'], ['bookings', 'get', '--booking-id', 'bkg_1']]) {
      const { code, out, said } = await line.ran(command);
      expect([code, out, said]).toEqual([1, '', expect.not.stringMatching(aboutTheAccount)]);
    }
    const { code, out, said, made } = await create();
    expect([code, out, said, made]).toEqual([1, '', expect.not.stringMatching(aboutTheAccount), 0]);
  });

  test.each(bare)('and may be, names both: %j', async (answer) => {
    answers('*', answer);
    for (const command of [['status'], ['bookings', 'get', '--booking-id', 'bkg_1']])
      expect(await line.ran(command)).toMatchObject({ code: 1, said: expect.stringContaining('no proxy or firewall') as unknown });
  });

  test.each(hiding)('hides no booking that was made: %j', async (answer) => {
    answers('POST /v1/bookings', answer, { commits: true });
    expect(await create()).toMatchObject({ code: 0, made: 1 });
  });

  test.each(tokenAnswers)('ends a sign-in without blame: %j', async (answer) => {
    const redirect = `http://localhost:${await freePort()}/done`;
    line.stage.sandbox.allowRedirect(redirect);
    answers('POST /api/oauth/token', answer);
    const { clientId, clientSecret } = line.stage.application;
    const env = { SCHEDULING_CLIENT_ID: clientId, SCHEDULING_CLIENT_SECRET: clientSecret };
    const login = line.typed(['login', '--no-browser', '--redirect', redirect], env);
    await agree(await until(() => /http\S+oauth\/authorize\S+/.exec(line.said.join('\n'))?.[0]));
    const { code, said } = await login;
    expect([code, said.split('\n').at(-1)]).toEqual([1, expect.not.stringMatching(aboutTheAccount)]);
  });
});
