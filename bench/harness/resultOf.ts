import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/**
 * The single message that a process sends when it has measured.
 *
 * @param what names the process in the error
 * @throws if the process ends without a result, with what it printed if its output is a pipe
 */
export async function resultOf<Result>(child: ChildProcess, what: string): Promise<Result> {
  let complaints = '';
  child.stderr?.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${what} ended with ${String(code)} before it had a result.\n${complaints.slice(-3000)}`);
  });
  const [result] = (await Promise.race([once(child, 'message'), ended])) as [Result];
  ended.catch(() => undefined);
  return result;
}
