import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { json } from 'node:stream/consumers';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { OpenedParts } from '../../tools/process/opened.ts';

/** Collects what the tests of one file start, and stops all of it after them, in order. */
export function openedForFile(): OpenedParts {
  const opened = new OpenedParts();
  afterAll(async () => {
    expect(await opened.closeAll()).toEqual([]);
  });
  return opened;
}

/** A sandbox without rate limits. */
export const openSandbox = (opened: OpenedParts): Promise<Sandbox> =>
  opened.start('the sandbox', () => startSandbox({ file: ':memory:', limits: false }));

/** How long after an answer the same call still counts as sent at once, as the guide for operators says. Milliseconds. */
const AT_ONCE_MS = 5_000;

/**
 * Rounds of the same call at several processes at once. If a busy machine holds one of them back for too long, it is a new call, so that
 * round says nothing and is followed by another one.
 *
 * @param round asks, and returns what is wrong. It gets the number of the round
 */
export async function whatIsWrongAtOnce(rounds: number, round: (at: number) => Promise<object[]>): Promise<object[]> {
  const wrong: object[] = [];
  for (let at = 0; at < rounds; ) {
    const begun = performance.now();
    const found = await round(at);
    if (performance.now() - begun >= AT_ONCE_MS) continue;
    wrong.push(...found);
    at += 1;
  }
  return wrong;
}

/** Starts a token request whose body the server still waits for. @returns a function that sends the body and reads the response */
export async function tokenUnderWay(origin: string) {
  const late = request(`${origin}/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'transfer-encoding': 'chunked' },
  });
  late.flushHeaders();
  const [socket] = (await once(late, 'socket')) as [Socket];
  if (socket.connecting) await once(socket, 'connect');
  await fetch(`${origin}/healthz`);
  return async (form: Record<string, string>): Promise<{ status: number | undefined; body: unknown }> => {
    const answered = once(late, 'response') as Promise<[IncomingMessage]>;
    late.end(new URLSearchParams(form).toString());
    const [answer] = await answered;
    return { status: answer.statusCode, body: await json(answer) };
  };
}
