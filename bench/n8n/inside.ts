import { fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { n8nTarball } from '../../tools/build/products.ts';
import { mustRun } from '../../tools/process/command.ts';
import { installN8n } from '../../tools/rigs/n8n/install.ts';
import { root } from '../../tools/root.cjs';
import { resultOf } from '../harness/resultOf.ts';

/** The values of the credential's form after connecting. */
export const connectedTo = (baseUrl: string, accessToken = 'token'): { baseUrl: string } & Record<string, unknown> => ({
  clientId: 'client',
  clientSecret: 'secret',
  baseUrl,
  accessTokenUrl: `${new URL(baseUrl).origin}/api/oauth/token`,
  grantType: 'authorizationCode',
  authentication: 'body',
  scope: '',
  oauthTokenData: { access_token: accessToken, refresh_token: 'none', token_type: 'Bearer' },
});

/**
 * Runs a task in a process that holds n8n's core and our package, the way n8n installs it. The very first call installs n8n.
 *
 * @param task a file below `bench/n8n/`
 * @throws with what the process printed, if it ends without a result
 */
export async function insideN8n<Result>(
  task: string,
  credential: ReturnType<typeof connectedTo>,
  argument: unknown,
  options: { nodeOptions?: string[] } = {},
): Promise<Result> {
  const { folder: installation } = await installN8n();
  const folder = await mkdtemp(join(tmpdir(), 'n8n-core-'));
  try {
    await mustRun('tar', ['-xzf', await n8nTarball(), '-C', folder], { cwd: folder });
    const child = fork(
      join(root, 'bench', 'n8n', 'child.ts'),
      [join(root, 'bench', 'n8n', task), installation, join(folder, 'package'), JSON.stringify({ credential, argument })],
      {
        execArgv: ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', ...(options.nodeOptions ?? [])],
        env: {
          PATH: process.env['PATH'],
          HOME: folder,
          N8N_USER_FOLDER: folder,
          NODE_PATH: join(installation, 'node_modules'),
          N8N_ENCRYPTION_KEY: 'only-for-this-run',
          N8N_LOG_LEVEL: 'silent',
        },
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      },
    );
    return await resultOf<Result>(child, task);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
