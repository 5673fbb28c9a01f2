import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { Packed } from '../../build/products.ts';
import { lastLines } from '../../process/command.ts';
import { freePort } from '../../process/freePort.ts';
import { Program } from '../../process/program.ts';
import { root } from '../../root.cjs';
import { installN8n, type N8nInstallation } from './install.ts';

const STOP_WITHIN_MS = 20_000;

export interface StartOptions {
  /** Which of n8n's programs to run. By default, the one that does everything; in queue mode, also the webhook processor or the worker. */
  command?: 'start' | 'webhook' | 'worker';
  /** The folder for its data. Without it, n8n gets a temporary folder that is deleted at the end. */
  folder?: string;
  /** 0, the default, uses any free port. */
  port?: number;
  installation?: N8nInstallation;
  /** If it aborts before n8n is ready, n8n is stopped. */
  signal?: AbortSignal | undefined;
  /** The packed package that `installPackage` installs. It is not published, so n8n gets it from here. */
  unpublished?: Packed | undefined;
  /** False leaves out the editor (40 MB), which n8n rewrites at each start: a third of the processor time until it is ready. */
  editor?: boolean | undefined;
  /** True leaves out the editor, unless `editor` is true, and most other parts that do not matter to our nodes. */
  lean?: boolean | undefined;
  /** More variables for n8n. They override those set here. */
  extra?: Record<string, string>;
}

/** A real n8n in its own process. */
export type N8n = Awaited<ReturnType<typeof startN8n>>;

/** Starts n8n and waits until it responds, including its database migrations. */
export async function startN8n(options: StartOptions = {}) {
  const installation = options.installation ?? (await installN8n());
  const temporary = options.folder === undefined;
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'n8n-')));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const database = join(folder, '.n8n', 'database.sqlite');
  const isNew = !existsSync(database);
  const blank = join(installation.folder, 'blank.sqlite');
  if (isNew && existsSync(blank)) {
    await mkdir(dirname(database), { recursive: true, mode: 0o700 });
    await writeFile(database, await readFile(blank), { mode: 0o600 });
  }
  const port = options.port === undefined || options.port === 0 ? await freePort() : options.port;
  const environment = {
    ...n8nEnvironment(options),
    N8N_USER_FOLDER: folder,
    // n8n leaves its folder for uploads behind, which must not stay among the machine's temporary files.
    ...{ TMPDIR: folder, TEMP: folder, TMP: folder },
    N8N_PORT: String(port),
    N8N_ENCRYPTION_KEY: await keptKey(folder),
    // The port on which n8n's own task runners reach it.
    N8N_RUNNERS_BROKER_PORT: String(await freePort()),
    // Node keeps its compiled scripts next to the n8n to which they belong. If it cannot write there, it does without.
    NODE_COMPILE_CACHE: join(installation.folder, 'compile-cache'),
    ...options.extra,
  };
  // In its own process group: Ctrl-C in a terminal only reaches this process, which then stops n8n. If this process ends in any other way,
  // n8n ends, too.
  const before = ['endWithParent.mjs', 'ownFiles.mjs'].flatMap((name) => [
    '--import',
    pathToFileURL(join(root, 'tools', 'process', name)).href,
  ]);
  const args = [...before, installation.bin, options.command ?? 'start'];
  const program = new Program(process.execPath, args, { cwd: folder, env: environment, detached: true });
  const origin = `http://localhost:${port}`;
  const stop = async (): Promise<void> => {
    // n8n waits for open connections to close. If that takes too long, it is killed.
    await program.stop('SIGTERM', STOP_WITHIN_MS);
    if (temporary) await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  // Not /healthz, because that responds before the database is ready.
  const look = async (): Promise<void> => {
    const { status } = await fetch(`${origin}/healthz/readiness`);
    if (status !== 200) throw new Error(`n8n answered ${status}.`);
  };
  if (await program.answers(look, options.signal)) {
    // If the folder is not writable, nothing is kept.
    if (isNew && existsSync(database)) await keepBlank(database, blank).catch(() => undefined);
    return {
      /** `http://localhost:PORT`: the address of its editor, its REST interface and its webhooks. */
      ...{ origin, folder, pid: program.pid, stop },
      /** Its output so far. */
      log: (): string => program.printed,
      /** Ends it at once, like a crash. Its folder then stays unchanged until `stop`. */
      kill: () => program.stop('SIGKILL'),
    };
  }
  await stop();
  options.signal?.throwIfAborted();
  throw new Error(`n8n did not start. Its log ends with:\n${lastLines(program.printed, 15)}`);
}

/**
 * Keeps the database of an unused n8n for the next new one, because creating it takes half of a first start. Each n8n makes its own keys,
 * so they are left out.
 */
async function keepBlank(database: string, blank: string): Promise<void> {
  if (existsSync(blank)) return;
  const partial = `${blank}.${process.pid}`;
  await rm(partial, { force: true });
  for (const [file, command] of [
    [database, `VACUUM INTO '${partial.replaceAll("'", "''")}'`],
    [partial, 'DELETE FROM deployment_key'],
  ] as const) {
    const opened = new DatabaseSync(file);
    opened.exec(command);
    opened.close();
  }
  await rename(partial, blank);
}

/** The key that encrypts n8n's stored credentials. It is made once for each folder, and kept with the data that it opens. */
export async function keptKey(folder: string): Promise<string> {
  const file = join(folder, 'encryption-key');
  if (existsSync(file)) return readFile(file, 'utf8');
  const key = randomBytes(24).toString('hex');
  await writeFile(file, key, { mode: 0o600 });
  return key;
}

/** The variables of this process that n8n may see. A database or a key meant for another n8n must not reach this one. */
const inherited = 'HOME USER LANG LC_ALL TZ SystemRoot APPDATA LOCALAPPDATA USERPROFILE NODE_EXTRA_CA_CERTS'.split(' ');

/**
 * Modules that matter to nobody here, or do nothing without a licence or a collector. They take a tenth of n8n's processor time to start.
 */
const unneeded =
  'mcp-registry instance-ai mcp chat-hub agents insights instance-reporting quick-connect workflow-builder otel ' +
  'external-secrets ldap log-streaming provisioning source-control sso-oidc sso-saml workflow-reviews';

/** Also modules that people only see in the editor or with another n8n. */
export const unneededModules =
  `${unneeded} breaking-changes favorites instance-registry instance-version-history n8n-packages oauth-jwe runtime-credentials token-exchange`.split(
    ' ',
  );

/** Turns off everything that makes n8n call its makers, or shows messages that do not matter here. */
const quiet = {
  N8N_DIAGNOSTICS_ENABLED: 'false',
  N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
  N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
  N8N_DYNAMIC_BANNERS_ENABLED: 'false',
  N8N_TEMPLATES_ENABLED: 'false',
  N8N_PERSONALIZATION_ENABLED: 'false',
  N8N_HIRING_BANNER_ENABLED: 'false',
  N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
  N8N_AI_ENABLED: 'false',
  N8N_DISABLED_MODULES: unneeded.replaceAll(' ', ','),
  N8N_LOG_LEVEL: 'warn',
};

/** The types of our nodes, in the form that workflows use. */
export function nodeTypes(packageName: string): { action: string; trigger: string; polling: string } {
  const named = (name: string): string => `${packageName}.${name}`;
  return { action: named('scheduler'), trigger: named('schedulerTrigger'), polling: named('schedulerPollingTrigger') };
}

/**
 * Keeps only what runs workflows with our nodes: no process for Code nodes, and no isolate for executions without expressions. The code of
 * isolates is compiled once.
 */
const leanEnvironment = {
  N8N_DISABLED_MODULES: unneededModules.join(),
  N8N_RUNNERS_MODE: 'external',
  N8N_RUNNERS_AUTH_TOKEN: randomBytes(24).toString('hex'),
  N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true',
  N8N_EXPRESSION_ENGINE_COMPILE_CACHE: 'true',
};

/** The environment of every n8n on this machine, which is reachable only on loopback. */
export function n8nEnvironment({ lean = false, editor = !lean, unpublished }: StartOptions): Record<string, string> {
  const own = inherited.flatMap((name): [string, string][] => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  const shim = join(root, 'tools', 'rigs', 'n8n', 'shim');
  return {
    ...Object.fromEntries(own),
    PATH: [shim, dirname(process.execPath), process.env.PATH ?? ''].join(delimiter),
    ...quiet,
    ...(lean ? leanEnvironment : {}),
    N8N_DISABLE_UI: String(!editor),
    N8N_HOST: 'localhost',
    N8N_LISTEN_ADDRESS: '127.0.0.1',
    N8N_PROTOCOL: 'http',
    // Plain http on loopback: a browser would not return a secure cookie.
    N8N_SECURE_COOKIE: 'false',
    N8N_VERIFIED_PACKAGES_ENABLED: 'false',
    N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
    // After five seconds, n8n takes a pause of this machine for the loss of its database, and refuses every request.
    DB_PING_TIMEOUT_MS: '120000',
    ...(unpublished ? { UNPUBLISHED_PACKAGE: JSON.stringify(unpublished) } : {}),
  };
}
