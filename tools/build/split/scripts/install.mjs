/**
 * Installs the tools of the split repository. n8n's own tool depends on a kit for AI nodes: hundreds of packages that nothing here uses and
 * that some registries lack. Only overrides can exclude them, but n8n refuses a manifest with overrides, so the manifest has them only
 * during the installation.
 */
import { execSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

// The build runs TypeScript directly, which needs this version. npm would only warn.
if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(`You need Node.js 24 or newer, and this is ${process.versions.node}. Install one, then run the same command again.`);
  process.exit(1);
}

const read = (file) => readFileSync(new URL(file, import.meta.url), 'utf8');
const manifest = read('../package.json');
// Ctrl-C ends npm, but this process continues, to restore the manifest.
process.on('SIGINT', () => undefined);
try {
  const own = JSON.parse(manifest);
  const devDependencies = { ...own.devDependencies, '@n8n/ai-node-sdk': 'file:scripts/ai-node-sdk' };
  writeFileSync('package.json', `${JSON.stringify({ ...own, devDependencies, overrides: JSON.parse(read('overrides.json')) }, null, 2)}\n`);
  // Installs exactly the lock file, or runs the given command: `node scripts/install.mjs install` after the tools changed.
  execSync(`npm ${process.argv.slice(2).join(' ') || 'ci'}`, { stdio: 'inherit' });
} finally {
  writeFileSync('package.json', manifest);
}
