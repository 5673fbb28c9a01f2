import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { transportOf } from '../../mcp/connection.ts';
import { newConnectionId, ownPorts } from '../../sdk/node/connectionFile.ts';
import type { ApiRequest } from '../../shared/client/transport.ts';
import { call, Stage, textOf } from './stage.ts';
import { ownHttpClient } from '../../sdk/client/transport.ts';

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
  const transport = transportOf(stage.file, stage.file.read().id, { ...ownPorts, httpClient: ownHttpClient(), timeout });
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
  await expect(read()).rejects.toThrow('was connected while this was under way');
  expect(stage.sandbox.requests()).toHaveLength(asked);
});

const refusal = async () => textOf(await call(await stage.served(), 'get_current_user'));

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

test('an expired token whose renewal is refused: a call says to connect again', async () => {
  await stage.connect({ expiresInSeconds: -1 });
  const connected = stage.file.read();
  await stage.file.write({ ...connected, tokens: { ...connected.tokens, refresh_token: 'spent' } });
  expect(await refusal()).toMatch(/has expired or was revoked\.[^]*Reconnect the account\./);
});

test('no token and no secret appears in the output of a tool or in the log, though the service repeats them', async () => {
  await stage.connect({ expiresInSeconds: -1 });
  const { clientSecret, tokens } = stage.file.read();
  const body = { error: 'invalid_request', error_description: `${tokens.refresh_token} ${clientSecret}` };
  stage.sandbox.faults.add({ route: 'POST /api/oauth/token', kind: 'status', status: 400, body, times: 'always' });
  const said = JSON.stringify([await refusal(), stage.logged]);
  for (const secret of [clientSecret, tokens.access_token, String(tokens.refresh_token)]) expect(said).not.toContain(secret);
});
