import { hash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sandbox } from '../../../sandbox/service.ts';
import { mustRun } from '../../process/command.ts';
import { locked } from '../../process/lock.ts';
import { freePort } from '../../process/freePort.ts';
import { Program } from '../../process/program.ts';
import { root } from '../../root.cjs';
import type { OpenedParts } from '../../process/opened.ts';
import { npmOptions } from '../n8n/install.ts';

const folder = join(root, 'hosted');

/** Installs the packages of the server for many users, which nothing else needs. @returns where to find PostgreSQL's driver */
export async function installHosted(): Promise<{ folder: string; bin: string }> {
  const installed = { folder, bin: join(folder, 'package.json') };
  const stamp = join(folder, 'node_modules', '.installed');
  const wanted = hash('sha256', readFileSync(join(folder, 'package-lock.json')));
  const isInstalled = (): boolean => existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;
  if (isInstalled()) return installed;
  await mkdir(join(root, '.local'), { recursive: true });
  // Several suites start at once, and two installations in one folder damage each other.
  await locked(join(root, '.local', 'hosted-packages.lock'), async () => {
    if (isInstalled()) return;
    await mustRun('npm', ['ci', ...npmOptions], { cwd: folder });
    writeFileSync(stamp, wanted);
  });
  return installed;
}

/** A key that protects nothing of value. */
const key = (name: string): string => `${name}:${hash('sha256', `key ${name}`, 'base64url')}`;

export const testKeys = { old: key('k1'), new: key('k2') } as const;

export interface HostedOptions {
  sandbox: Sandbox;
  /** The folder of its database file, without PostgreSQL. */
  folder: string;
  /** The address of PostgreSQL. */
  databaseUrl?: string | undefined;
  /** Where people reach it, if not at this process. */
  origin?: string;
  port?: number | undefined;
  env?: Readonly<Record<string, string>>;
  /** The program to run. Default: the sources. */
  main?: string;
}

/** One process of the server. */
export type Hosted = Awaited<ReturnType<typeof startHosted>>;

/** Starts one process of the server for many users in front of the sandbox. @throws its output if it does not start */
export async function startHosted({ sandbox, databaseUrl, port: wanted, env, ...options }: HostedOptions, opened: OpenedParts) {
  await installHosted();
  const port = wanted ?? (await freePort());
  const origin = options.origin ?? `http://localhost:${port}`;
  sandbox.allowRedirect(`${origin}/callback`);
  const program = new Program(process.execPath, [options.main ?? join(folder, 'main.ts')], {
    env: {
      ...process.env,
      SCHEDULING_MCP_URL: origin,
      SCHEDULING_CLIENT_ID: sandbox.client.id,
      SCHEDULING_CLIENT_SECRET: sandbox.client.secret,
      SCHEDULING_BASE_URL: sandbox.baseUrl,
      SCHEDULING_MCP_KEYS: testKeys.old,
      SCHEDULING_MCP_FOLDER: options.folder,
      SCHEDULING_MCP_TOKEN_REQUESTS: '1000000',
      DATABASE_URL: databaseUrl,
      PORT: String(port),
      ...env,
    },
  });
  opened.add('the MCP server', () => program.stop('SIGTERM', 10_000));
  const isReady = await program.answers(async () => {
    const { ok } = await fetch(`http://127.0.0.1:${port}/readyz`);
    if (!ok) throw new Error('not ready');
  }, opened.signal);
  if (!isReady) throw new Error(`The MCP server did not start: ${program.printed}`);
  return { origin, port, program };
}
