import { randomBytes } from 'node:crypto';
import { delimiter, dirname, join } from 'node:path';
import { root } from '../../root.cjs';

export interface N8nSettings {
  /** The folder for n8n's database and its community packages. It is created if it does not exist. */
  userFolder: string;
  port: number;
  /** The port on which n8n's own task runners reach it. */
  brokerPort: number;
  encryptionKey: string;
  /** The packed package that `installPackage` installs. It is not published, so n8n gets it from here. */
  unpublished?: { name: string; version: string; tarball: string };
  /**
   * False: everything but the editor. At each start, n8n writes its editor (40 MB) again, which takes a third of the processor time until it
   * is ready.
   */
  editor?: boolean | undefined;
  /** True: without the editor, unless `editor` is true, and without most other parts that do not matter to our nodes. */
  lean?: boolean | undefined;
  /** More variables for n8n. They override those that are set here. */
  extra?: Record<string, string>;
}

/** The variables of this process that n8n may see. A database or a key that was set for another n8n must not reach this one. */
const inherited = ['HOME USER LANG LC_ALL TZ TMPDIR TEMP TMP', 'SystemRoot APPDATA LOCALAPPDATA USERPROFILE NODE_EXTRA_CA_CERTS'].flatMap(
  (line) => line.split(' '),
);

const unneededModules = ['mcp-registry', 'instance-ai', 'mcp', 'chat-hub', 'agents', 'insights', 'instance-reporting', 'quick-connect'];

/** As `extra`: with n8n's own MCP server, which its owner still has to switch on. */
export const withMcpServer = { N8N_DISABLED_MODULES: unneededModules.filter((name) => name !== 'mcp').join() };

/** Turns off everything that makes n8n call its makers, or show messages that do not matter here. */
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
  N8N_DISABLED_MODULES: unneededModules.join(),
  N8N_LOG_LEVEL: 'warn',
};

/** n8n's own nodes in the workflows of those that start it lean: tests, and `npm start -- --once`. */
const leanNodes = [
  ...[
    'aggregate calTrigger code evaluation evaluationTrigger extractFromFile filter form formTrigger gmail httpRequest hubspot if',
    'limit manualTrigger merge n8n noOp postgres removeDuplicates scheduleTrigger set slack splitInBatches splitOut stickyNote',
    'stopAndError switch wait webhook',
  ].flatMap((line) => line.split(' ').map((name) => `n8n-nodes-base.${name}`)),
  ...'agent chat chatTrigger lmChatOpenAi memoryBufferWindow mcpClient mcpClientTool mcpTrigger'
    .split(' ')
    .map((name) => `@n8n/n8n-nodes-langchain.${name}`),
];

/** The types of our nodes, as workflows name them. */
export function nodeTypes(packageName: string): { action: string; trigger: string; polling: string } {
  const named = (name: string): string => `${packageName}.${name}`;
  return { action: named('scheduler'), trigger: named('schedulerTrigger'), polling: named('schedulerPollingTrigger') };
}

/**
 * Only what runs workflows with our nodes: no editor, which n8n writes again at each start (40 MB), no process for Code nodes, and few of
 * its own nodes. Expressions are evaluated in the process, as in older versions of n8n: an isolate for each execution would be up to half
 * of the work. `isolatedExpressions` gives that back.
 */
function leanEnvironment(unpublished: N8nSettings['unpublished']): Record<string, string> {
  const ours = unpublished ? Object.values(nodeTypes(unpublished.name)) : [];
  return {
    NODES_INCLUDE: JSON.stringify([...ours, ...leanNodes]),
    N8N_RUNNERS_MODE: 'external',
    N8N_RUNNERS_AUTH_TOKEN: randomBytes(24).toString('hex'),
    ...expressionsInProcess,
  };
}

/**
 * How n8n evaluates expressions, as `extra`: each execution in an isolate, as this version does, or in the process, as older ones did. Here
 * an execution without expressions makes no isolate, and the code of an isolate is compiled once: that takes a third less of the processor.
 */
export const isolatedExpressions = {
  N8N_EXPRESSION_ENGINE: 'vm',
  N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true',
  N8N_EXPRESSION_ENGINE_COMPILE_CACHE: 'true',
};
export const expressionsInProcess = { N8N_EXPRESSION_ENGINE: 'legacy' };

/** The environment of one n8n on this machine: reachable only on loopback, with its own folder, ports and key. */
export function n8nEnvironment(settings: N8nSettings): Record<string, string> {
  const own: Record<string, string> = {};
  for (const name of inherited) {
    const value = process.env[name];
    if (value !== undefined) own[name] = value;
  }
  const shim = join(root, 'tools', 'rigs', 'n8n', 'shim');
  return {
    ...own,
    PATH: [shim, dirname(process.execPath), process.env.PATH ?? ''].join(delimiter),
    ...quiet,
    ...(settings.lean === true ? leanEnvironment(settings.unpublished) : {}),
    N8N_DISABLE_UI: String(!(settings.editor ?? settings.lean !== true)),
    N8N_USER_FOLDER: settings.userFolder,
    N8N_PORT: String(settings.port),
    N8N_HOST: 'localhost',
    N8N_LISTEN_ADDRESS: '127.0.0.1',
    N8N_PROTOCOL: 'http',
    // Plain http on loopback: a browser would not send back a cookie that is marked secure.
    N8N_SECURE_COOKIE: 'false',
    N8N_ENCRYPTION_KEY: settings.encryptionKey,
    N8N_RUNNERS_BROKER_PORT: String(settings.brokerPort),
    N8N_VERIFIED_PACKAGES_ENABLED: 'false',
    N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
    ...(settings.unpublished ? { UNPUBLISHED_PACKAGE: JSON.stringify(settings.unpublished) } : {}),
    ...settings.extra,
  };
}
