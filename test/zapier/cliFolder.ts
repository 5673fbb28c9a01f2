import { appendFile, cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sandbox } from '../../sandbox/service.ts';
import { zapierFolder } from '../../tools/build/products.ts';
import { localFolder } from '../../tools/process/localFolder.ts';
import { root } from '../../tools/root.cjs';

/** Zapier's official command line tool. */
export const cli = join(root, 'node_modules', 'zapier-platform-cli', 'src', 'bin', 'run');

/** The environment of the tool's programs in a folder. NODE_ENV would switch the platform to its test mode. */
export function cliEnvironment(folder: string): NodeJS.ProcessEnv {
  const { NODE_ENV: _, DISPLAY: _display, ...environment } = process.env;
  return { ...environment, DISABLE_ZAPIER_ANALYTICS: '1', HOME: folder };
}

/**
 * A copy of the built app's folder, because the tool keeps the connection in a file there, and must not touch a developer's own.
 *
 * @param tokens of a connection that is already made
 */
export async function cliFolder({ client, baseUrl }: Sandbox, tokens: Record<string, string> = {}) {
  const built = await zapierFolder();
  const folder = await localFolder('zapier-cli-');
  for (const part of ['package.json', 'dist']) await cp(join(built, part), join(folder, part), { recursive: true });
  const lines = Object.entries({ CLIENT_ID: client.id, CLIENT_SECRET: client.secret, BASE_URL: baseUrl, ...tokens });
  await appendFile(join(folder, '.env'), lines.map(([name, value]) => `${name}='${value}'\n`).join(''));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
