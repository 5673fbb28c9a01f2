import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceError } from '../../shared/serviceError.ts';
import { loginCommand } from '../../mcp/options.ts';
import { connectingAtFirst, transportOf } from '../../mcp/connection.ts';
import type { CallingAccount } from '../../mcp/adapter/account.ts';
import { newConnectionId } from '../../sdk/node/connectionFile.ts';
import { ownWire } from '../../sdk/oauth/connection.ts';
import type { Connect } from '../../mcp/program.ts';
import { brand } from '../../shared/brand.ts';
import type { ApiRequest } from '../../shared/client/ports.ts';
import { refusal } from '../support/service.ts';
import { until } from '../support/until.ts';
import { callLine, InProcess, Talk, talkTo } from './inProcess.ts';
import { call, Stage, textOf } from './stage.ts';

let stage: Stage;
beforeEach(async () => void (stage = await Stage.open()));
afterEach(() => stage.close());

/** Sends a request while a call has some time left. @returns the answer, and how much time each exchange with the service got */
async function sent(method: ApiRequest['method'], leftMs: number) {
  const given: number[] = [];
  const timeout = (milliseconds: number): AbortSignal => {
    given.push(milliseconds);
    return AbortSignal.timeout(60_000);
  };
  const transport = transportOf(stage.file, stage.file.read().id, { ...ownWire(), timeout });
  const { status } = await transport(() => leftMs)({ method, url: `${stage.sandbox.baseUrl}/me`, headers: {} });
  return { status, given };
}

test('a request may take as long as is left of its call, and less if it changes something', async () => {
  expect((await sent('GET', 55_000)).given).toEqual([20_000]);
  expect((await sent('POST', 55_000)).given).toEqual([18_000]);
});

test('a token that is refused is renewed within what is left of the call, and the request is sent again', async () => {
  // Whatever else was put into the folder since.
  await writeFile(join(stage.file.folder, 'a note'), '');
  await stage.connect({ expiresInSeconds: -1 });
  const { tokens: before } = stage.file.read();
  const { status, given } = await sent('GET', 7_000);
  expect(status).toBe(200);
  expect(stage.file.read().tokens.access_token).not.toBe(before.access_token);
  expect(given.filter((milliseconds) => milliseconds === 7_000)).toHaveLength(3);
  expect(Math.min(...given)).toBe(7_000);
});

/** Reads the account on a connection of its own. */
const reading = () => {
  const transport = transportOf(stage.file, stage.file.read().id);
  return () => transport(() => 20_000)({ method: 'GET', url: `${stage.sandbox.baseUrl}/me`, headers: {} });
};

test('the service sees that an agent asks; what was begun before another account was connected is not continued in that one', async () => {
  const read = reading();
  expect((await read()).status).toBe(200);
  expect(stage.sandbox.requests().at(-1)?.headers['user-agent']).toMatch(/-mcp$/);
  await stage.file.write({ ...stage.file.read(), id: newConnectionId() });
  const asked = stage.sandbox.requests().length;
  await expect(read()).rejects.toThrow('was connected in the meantime');
  expect(stage.sandbox.requests()).toHaveLength(asked);
});

const refused = async () => textOf(await call(await stage.served(), 'get_current_user'));

test('a connection that is forgotten while the server runs is gone: a call says which command connects, and works again after it', async () => {
  const client = await stage.served();
  expect((await call(client, 'get_current_user')).isError).toBeUndefined();
  await stage.file.forget();
  expect(textOf(await call(client, 'get_current_user'))).toBe(
    'No account is connected here. Run `npx our-mcp login` in a terminal, then try again.',
  );
  await stage.connect();
  expect((await call(client, 'get_current_user')).isError).toBeUndefined();
});

test('no token and no secret appears in the output of a tool or in the log, though the service repeats them', async () => {
  await stage.connect({ expiresInSeconds: -1 });
  const { clientSecret, tokens } = stage.file.read();
  const body = { error: 'invalid_request', error_description: `${tokens.refresh_token} ${clientSecret}` };
  stage.sandbox.faults.add({ route: 'POST /api/oauth/token', kind: 'status', status: 400, body, times: 'always' });
  const said = JSON.stringify([await refused(), stage.logged]);
  for (const secret of [clientSecret, tokens.access_token, String(tokens.refresh_token)]) expect(said).not.toContain(secret);
});

const account = {} as CallingAccount;
const none = new ServiceError('unauthenticated', { message: 'No account is connected here.', advice: 'Log in.' });

/** A program without a connection, whose person answers when the test says so. */
function unconnected(waitMs?: number) {
  let isConnected = false;
  const answers: { allow: () => void; decline: () => void }[] = [];
  const current = (): CallingAccount => {
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
    `No account is connected yet. Allow access on this page, then call this again: https://service.example/consent (If your browser is on another machine than this server, run \`${loginCommand}\` in a terminal there instead.)`,
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

test('a program whose connection lacks a permission says which command connects the account again', async () => {
  await stage.connect({ scopes: [] });
  const answer = await (await (await talkTo(stage)).greeted()).ask(1, callLine(1, 'list_contacts'));
  expect(JSON.stringify(answer['result'])).toContain(`\\nTo reconnect, run in a terminal: ${loginCommand}`);
});

describe('a program with the id and the secret', () => {
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

  test('is not needed where the maker has registered an application without a secret: the first question opens the consent page', async () => {
    await stage.file.forget();
    jest.replaceProperty(brand, 'oauth', { publicClientId: 'everybody' });
    const connect = jest.fn<Promise<void>, Parameters<Connect>>((_file, { clientId, clientSecret }) => {
      expect([clientId, clientSecret]).toEqual(['everybody', '']);
      return stage.connect();
    });
    const own = new InProcess([], { SCHEDULING_MCP_FOLDER: stage.file.folder });
    stage.later(async () => void own.stdin.end());
    await own.run(connect);
    const answer = await (await new Talk(own).greeted()).ask(1, callLine(1, 'get_current_user'));
    expect(JSON.stringify(answer['result'])).toContain('Get Current User: done.');
    expect(connect).toHaveBeenCalledTimes(1);
    jest.restoreAllMocks();
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
