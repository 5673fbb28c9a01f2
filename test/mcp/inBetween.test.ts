import type { Client } from '@modelcontextprotocol/client';
import { agentWire } from '../../mcp/connection.ts';
import { accounts } from '../../mcp/program.ts';
import type { Clock } from '../../shared/client/ports.ts';
import { aboutTheAccount, bare, hiding, inBetween, tokenAnswers, type InBetween } from '../support/inBetween.ts';
import { call, Stage, textOf } from './stage.ts';

let stage: Stage;
let client: Client;
const clock: Clock = { now: () => Date.now(), sleep: async () => undefined, random: () => 0 };
beforeAll(async () => {
  const { sleep } = agentWire;
  // A token request that failed is sent again, after seconds.
  jest.spyOn(agentWire, 'sleep').mockImplementation((milliseconds, over) => sleep(milliseconds / 25, over));
  stage = await Stage.open();
  client = await stage.served({ account: accounts(stage.file, false, clock) });
});
afterAll(() => stage.close());
afterEach(() => stage.sandbox.faults.clear());

const answers = (route: string, answer: InBetween, more: { commits?: boolean } = {}) =>
  stage.sandbox.faults.add({ route, kind: 'status', ...answer, times: 'always', ...more });

describe('to an agent, what is not the answer of the service', () => {
  test.each(bare)('but may be, names both: %j', async (answer) => {
    for (const route of ['GET /v1/me', 'GET /v1/bookings/:id']) answers(route, answer);
    for (const [tool, given] of [
      ['get_current_user', {}],
      ['get_booking', { booking_id: 'bkg_1' }],
    ] as const)
      expect(textOf(await call(client, tool, given))).toMatch(/no proxy or firewall|status 404, without a reason/);
  });

  test.each(inBetween)('is not told as that of the account, nor as a result: %j', async (answer) => {
    answers('*', answer);
    const { wanted } = stage;
    const calls: [string, object][] = [
      ['get_current_user', {}],
      ['list_bookings', {}],
      ['get_booking', { booking_id: 'bkg_1' }],
      ['create_booking', wanted],
    ];
    for (const [tool, given] of calls) {
      const result = await call(client, tool, { ...given });
      expect([tool, result.isError, textOf(result)]).toEqual([tool, true, expect.not.stringMatching(aboutTheAccount)]);
    }
    expect(stage.bookingsOf(wanted.invitee_email)).toEqual([]);
  });

  test.each(hiding)('hides no booking that was made: %j', async (answer) => {
    answers('POST /v1/bookings', answer, { commits: true });
    const { wanted } = stage;
    const { isError, structuredContent } = await call(client, 'create_booking', wanted);
    expect([isError, structuredContent]).toEqual([undefined, expect.objectContaining({ invitee_email: wanted.invitee_email })]);
    expect(stage.bookingsOf(wanted.invitee_email)).toHaveLength(1);
  });

  test.each(tokenAnswers)('does not end a connection: %j', async (answer) => {
    await stage.connect({ expiresInSeconds: -1 });
    const { tokens } = stage.file.read();
    answers('POST /api/oauth/token', answer);
    const result = await call(client, 'create_booking', stage.wanted);
    expect([result.isError, textOf(result)]).toEqual([true, expect.not.stringMatching(aboutTheAccount)]);
    expect(textOf(result)).toContain('Nothing was done');
    expect(stage.file.read().tokens).toEqual(tokens);
  });
});
