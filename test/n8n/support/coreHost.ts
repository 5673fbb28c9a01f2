import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { mustRun } from '../../../tools/process/command.ts';
import type { Sandbox } from '../../../sandbox/service.ts';

/** One more credential, as n8n stores it after connecting. Runs with the same one share what n8n stores of it. */
export const credentialFor = ({ client, baseUrl, origin, issueToken }: Sandbox, tokens: object = issueToken()) => ({
  id: `credential-${client.id}-${JSON.stringify(tokens)}`,
  data: {
    clientId: client.id,
    clientSecret: client.secret,
    baseUrl,
    accessTokenUrl: `${origin}/api/oauth/token`,
    grantType: 'authorizationCode',
    authentication: 'body',
    scope: '',
    oauthTokenData: tokens,
  },
});

export interface Run {
  credential: ReturnType<typeof credentialFor>;
  parameters: Record<string, unknown>;
  items?: Record<string, unknown>[];
  timezone?: string;
}

/** The result of one run: its items, or the error that n8n shows. */
export interface End {
  output?: { json: Record<string, unknown> }[][];
  error?: { message: string; description: string | null };
}

export type CoreHost = Awaited<ReturnType<typeof startCoreHost>>;

/**
 * The built action node inside n8n's own execution context, in a process of its own.
 *
 * @param coreFolder contains `node_modules` with n8n-core of the wanted version
 * @param tarball the packed package; it is unpacked elsewhere, so that it finds n8n's modules and not the project's
 */
export async function startCoreHost(coreFolder: string, tarball: string) {
  const folder = await mkdtemp(join(tmpdir(), 'n8n-core-'));
  await mustRun('tar', ['-xzf', tarball, '-C', folder], { cwd: folder });
  const child = fork(join(__dirname, 'coreHostProcess.ts'), [coreFolder, join(folder, 'package')], {
    execArgv: [],
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      N8N_USER_FOLDER: folder,
      NODE_PATH: join(coreFolder, 'node_modules'),
      N8N_ENCRYPTION_KEY: 'only-for-this-test',
      N8N_LOG_LEVEL: 'silent',
    },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const gone = once(child, 'exit');
  const complaints = child.stderr === null ? '' : text(child.stderr);
  const answer = async (): Promise<End[]> => {
    const [ends] = (await Promise.race([once(child, 'message'), gone.then(() => [])])) as [End[]?];
    return ends ?? fail(`The process of n8n's core has ended: ${(await complaints).slice(-2000)}`);
  };
  await answer();
  return {
    /** Executes at once, each run with a context of its own. Only when all have ended, it may be called again. */
    run(...runs: Run[]) {
      child.send(runs);
      return answer();
    },
    async stop() {
      child.kill();
      await gone;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
