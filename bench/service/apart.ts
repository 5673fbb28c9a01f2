import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root } from '../../tools/root.cjs';

/** What a caller of the service has to know. */
export interface Service {
  baseUrl: string;
  client: { id: string; secret: string };
  accessToken: string;
  refreshToken: string;
  /** The id of a booking. */
  booking: string;
}

/**
 * Runs the sandbox in a process of its own, as every real service is. A caller in the same process would save the way there and back, and
 * would be compared with callers that cannot save it.
 */
export async function withServiceApart<Result>(work: (service: Service) => Promise<Result>): Promise<Result> {
  const program = join(root, 'bench', 'service', 'apartService.ts');
  const child = fork(program, { execArgv: ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'] });
  const gone = once(child, 'exit');
  try {
    const first = await Promise.race([once(child, 'message'), gone.then(() => undefined)]);
    if (first === undefined) throw new Error('The service ended before it could be called.');
    return await work(first[0] as Service);
  } finally {
    if (child.connected) child.disconnect();
    await gone;
  }
}
