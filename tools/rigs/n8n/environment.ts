import { delimiter, dirname, join } from 'node:path';
import { root } from '../../root.cjs';

export interface N8nSettings {
  /** Where n8n keeps its database and its community packages; made when it is not there. */
  userFolder: string;
  port: number;
  /** n8n's own task runners talk to it over this one. */
  brokerPort: number;
  encryptionKey: string;
  /** The packed package that `installPackage` installs: published nowhere, so n8n is given it from here. */
  unpublished?: { name: string; version: string; tarball: string };
  /** Anything else n8n reads from its environment; wins over what stands here. */
  extra?: Record<string, string>;
}

/** What n8n may see of this process's environment: a database or a key that somebody set for another n8n must not reach this one. */
const inherited = [
  'HOME',
  'USER',
  'LANG',
  'LC_ALL',
  'TZ',
  'TMPDIR',
  'TEMP',
  'TMP',
  'SystemRoot',
  'APPDATA',
  'LOCALAPPDATA',
  'USERPROFILE',
  'NODE_EXTRA_CA_CERTS',
];

/** Everything that would make n8n call its makers, or greet people with things that do not matter here. */
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
  N8N_DISABLED_MODULES: 'mcp-registry,instance-ai,mcp,chat-hub,agents,insights,instance-reporting,quick-connect',
  N8N_LOG_LEVEL: 'warn',
};

/** The environment of one n8n on this machine: reached on loopback only, with its own folder, ports and key. */
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
    N8N_USER_FOLDER: settings.userFolder,
    N8N_PORT: String(settings.port),
    N8N_HOST: 'localhost',
    N8N_LISTEN_ADDRESS: '127.0.0.1',
    N8N_PROTOCOL: 'http',
    // Plain http on loopback: a cookie marked secure would not come back.
    N8N_SECURE_COOKIE: 'false',
    N8N_ENCRYPTION_KEY: settings.encryptionKey,
    N8N_RUNNERS_BROKER_PORT: String(settings.brokerPort),
    N8N_VERIFIED_PACKAGES_ENABLED: 'false',
    N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
    ...(settings.unpublished ? { UNPUBLISHED_PACKAGE: JSON.stringify(settings.unpublished) } : {}),
    ...settings.extra,
  };
}
