import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root } from '../../tools/root.cjs';

/** A list of bookings that another process serves. */
export interface Pages {
  /** The base URL of a list with that many pages. */
  baseUrl(pages: number): string;
  stop(): Promise<void>;
}

export async function servePages(): Promise<Pages> {
  const child = fork(join(root, 'bench', 'service', 'pageServer.ts'), { execArgv: ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'] });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return {
    baseUrl: (pages) => `http://127.0.0.1:${port}/${pages}/api/v1`,
    async stop() {
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    },
  };
}
