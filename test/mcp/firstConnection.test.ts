import { connectingAtFirst } from '../../mcp/firstConnection.ts';
import type { Account } from '../../mcp/adapter/account.ts';
import { ServiceError } from '../../shared/client/errors.ts';
import { refusal } from '../support/service.ts';
import { until } from '../support/until.ts';
import { Stage } from './stage.ts';
import { callLine, InProcess, Talk } from './inProcess.ts';

const account = {} as Account;
const none = new ServiceError('unauthenticated', { message: 'No account is connected here.', advice: 'Log in.' });

/** A program without a connection, whose person answers when the test says so. */
function unconnected(waitMs?: number) {
  let isConnected = false;
  const answers: { allow: () => void; decline: () => void }[] = [];
  const current = (): Account => {
    if (!isConnected) throw none;
    return account;
  };
  const read = connectingAtFirst(
    current,
    (show) => {
      show('https://service.example/consent');
      return new Promise((resolve, reject) =>
        answers.push({ allow: () => resolve(void (isConnected = true)), decline: () => reject(new Error('You did not allow access.')) }),
      );
    },
    waitMs,
  );
  return { read, answers };
}

test('a call ends before its client gives up and names the page; the page stays open for all that come later, and these go on', async () => {
  const { read, answers } = unconnected(50);
  expect((await refusal(read())).sentence).toBe(
    'No account is connected yet. Allow access on this page, then call this again: https://service.example/consent',
  );
  const later = [read(), read()];
  answers[0]?.allow();
  expect(await Promise.all(later)).toEqual([account, account]);
  expect(answers).toHaveLength(1);
});

test('a person who does not allow access is not asked again by the same call, but by the next', async () => {
  const { read, answers } = unconnected();
  const first = refusal(read());
  answers[0]?.decline();
  expect((await first).sentence).toBe('You did not allow access. Call this again to open the consent page.');
  const second = read();
  expect(answers).toHaveLength(2);
  answers[1]?.allow();
  expect(await second).toBe(account);
});

test('only a missing connection opens the page, and what the service says about the application is passed on', async () => {
  const other = new ServiceError('server', { message: 'No.', advice: 'Wait.' });
  const connect = jest.fn(() => Promise.reject(other));
  const reading = (why: ServiceError) =>
    connectingAtFirst(() => {
      throw why;
    }, connect);
  expect(await refusal(reading(other)())).toBe(other);
  expect(connect).not.toHaveBeenCalled();
  expect(await refusal(reading(none)())).toBe(other);
});

describe('a program with the id and the secret', () => {
  let stage: Stage;
  beforeEach(async () => void (stage = await Stage.open()));
  afterEach(() => stage.close());

  const started = async (connect: Parameters<InProcess['run']>[0]) => {
    const own = new InProcess([], {
      SCHEDULING_MCP_FOLDER: stage.file.folder,
      SCHEDULING_CLIENT_ID: 'id',
      SCHEDULING_CLIENT_SECRET: 'secret',
    });
    stage.later(async () => void own.stdin.end());
    await own.run(connect);
    return { own, talk: await new Talk(own).greeted() };
  };

  test('says that access was revoked, opens the consent page at the next call, and goes on', async () => {
    const { access_token } = stage.sandbox.issueToken({ expiresInSeconds: -1 });
    await stage.file.write({ ...stage.file.read(), tokens: { access_token, refresh_token: 'revoked' } });
    const connect = jest.fn(() => stage.connect());
    const { talk } = await started(connect);
    const [first, second] = [await talk.ask(1, callLine(1, 'get_current_user')), await talk.ask(2, callLine(2, 'get_current_user'))];
    expect(JSON.stringify(first['result'])).toMatch(/has expired or was revoked\..*Call this again to open the consent page\."/);
    expect(connect).toHaveBeenCalledTimes(1);
    expect(JSON.stringify(second['result'])).toContain('Get Current User: done.');
  });

  test('no longer waits for the person once its client has left', async () => {
    await stage.file.forget();
    let signal: AbortSignal | undefined;
    const { own, talk } = await started((_, connecting) => {
      signal = connecting.signal;
      return new Promise(() => undefined);
    });
    talk.write(callLine(1, 'get_current_user'));
    await until(() => signal);
    expect(signal?.aborted).toBe(false);
    own.stdin.end();
    await until(() => signal?.aborted);
  });
});
