import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { n8nEnvironment } from '../../tools/rigs/n8n/environment.ts';

const ours = { name: 'n8n-nodes-unpublished', version: '1.0.0', tarball: 'ours.tgz' };

/** The npm that n8n finds, in the folder where n8n keeps its packages. What it passes on is printed by a stand-in for npm itself. */
describe('what n8n asks npm about an unpublished package', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'npm-of-n8n-'));
    writeFileSync(join(folder, 'npm'), '#!/bin/sh\necho "npm was asked: $*"\n', { mode: 0o755 });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function npm(...args: string[]): string {
    const { PATH = '', UNPUBLISHED_PACKAGE = '' } = n8nEnvironment({
      userFolder: folder,
      port: 1,
      brokerPort: 2,
      encryptionKey: 'none',
      unpublished: ours,
    });
    const [shim = ''] = PATH.split(delimiter);
    const path = [shim, folder, dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter);
    return execFileSync('npm', args, { cwd: folder, encoding: 'utf8', env: { PATH: path, UNPUBLISHED_PACKAGE } });
  }
  const installed = (...names: string[]): void =>
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ dependencies: Object.fromEntries(names.map((name) => [name, '1.0.0'])) }));

  it('is answered without a network: its editor waits for whether there is a newer version', () => {
    installed(ours.name);
    expect(npm('view', ours.name, 'version', '--json')).toBe('"1.0.0"\n');
    expect(npm('outdated', '--json')).toBe('{}\n');
  });

  it('reaches npm itself for every other package', () => {
    installed('n8n-nodes-other', ours.name);
    expect(npm('outdated', '--json')).toBe('npm was asked: outdated --json n8n-nodes-other\n');
    expect(npm('view', 'n8n-nodes-other', 'version')).toBe('npm was asked: view n8n-nodes-other version\n');
  });
});
