import { fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mustRun } from '../../../tools/process/command.ts';
import type { Sandbox } from '../../../sandbox/service.ts';

export interface Run {
  parameters: Record<string, unknown>;
  items: Record<string, unknown>[];
  timezone?: string;
}

/** The result of one run: its items, or the error that n8n shows. */
export interface End {
  output?: { json: Record<string, unknown> }[][];
  error?: { message: string; description: string | null };
}

/** The built action node inside n8n's own execution context, in a process of its own. */
export interface CoreHost {
  /** Stores one more credential, as n8n would after connecting. `run` executes at once, each run with a context of its own. */
  connect(sandbox: Sandbox, tokens?: object): Promise<{ run: (...runs: Run[]) => Promise<End[]> }>;
  stop(): Promise<void>;
}

/**
 * @param coreFolder contains `node_modules` with n8n-core of the wanted version
 * @param tarball the packed package; it is unpacked elsewhere, so that it finds n8n's modules and not the project's
 */
export async function startCoreHost(coreFolder: string, tarball: string): Promise<CoreHost> {
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
  let complaints = '';
  child.stderr?.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve());
    child.once('exit', (code) => reject(new Error(`n8n's core could not be loaded (${code}): ${complaints.slice(-2000)}`)));
  });

  const waiting = new Map<number, (ends: End[]) => void>();
  let last = 0;
  child.on('message', ({ id, result }: { id: number; result: End[] }) => {
    waiting.get(id)?.(result);
    waiting.delete(id);
  });
  const ask = (asked: object) =>
    new Promise<End[]>((resolve) => {
      last += 1;
      waiting.set(last, resolve);
      child.send({ id: last, ...asked });
    });
  return {
    async connect(sandbox, tokens = sandbox.issueToken()) {
      const credential = {
        clientId: sandbox.client.id,
        clientSecret: sandbox.client.secret,
        baseUrl: sandbox.baseUrl,
        accessTokenUrl: `${sandbox.origin}/api/oauth/token`,
        grantType: 'authorizationCode',
        authentication: 'body',
        scope: '',
        oauthTokenData: tokens,
      };
      const credentialId = `credential-${last}`;
      await ask({ credentialId, credential });
      return { run: (...runs) => ask({ credentialId, runs }) };
    },
    async stop() {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill();
      await gone;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
