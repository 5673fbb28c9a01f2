import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { n8nTarball, zapierZip } from '../../tools/build/products.ts';
import { unzip } from '../../tools/build/zip.ts';
import { root } from '../../tools/root.cjs';

const secret = /whsec_[A-Za-z0-9_-]{20}|\b(?:at|rt|cs)_[A-Za-z0-9_-]{20}|BEGIN [A-Z ]*PRIVATE KEY/;

it('no package holds a secret, a path of this machine, or a file that its users do not need', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'packages-'));
  try {
    execFileSync('tar', ['-xzf', await n8nTarball(), '-C', folder]);
    await unzip(await zapierZip(), join(folder, 'zapier'));
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
      .map(({ name, parentPath }) => join(parentPath, name));
    expect(files.length).toBeGreaterThan(20);
    for (const file of files) {
      expect(file.slice(folder.length)).not.toMatch(/\.env|\.pem|id_rsa|\.sqlite|sandbox|soak/);
      const content = readFileSync(file, 'latin1');
      expect([file, secret.exec(content)?.[0], content.includes(`${root}/`)]).toEqual([file, undefined, false]);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
