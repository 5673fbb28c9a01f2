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
