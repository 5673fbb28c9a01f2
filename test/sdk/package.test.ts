import { glob, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { entriesOf } from '../../tools/build/sdkDeclarations.ts';
import { runCommand } from '../../tools/process/command.ts';
import { root } from '../../tools/root.cjs';
import { Installed } from './installed.ts';

let installed: Installed;
beforeAll(async () => void (installed = await Installed.open()));
afterAll(() => installed.close());

const tool = (...path: string[]): string => join(root, 'node_modules', ...path);

describe('the tarball', () => {
  test('passes publint', async () => {
    const { code, output } = await runCommand(process.execPath, [tool('publint', 'src', 'cli.js'), installed.packed.tarball, '--strict'], {
      cwd: root,
    });
    expect(output).toContain('All good!');
    expect(code).toBe(0);
  });

  test('has correct types for ES modules and for CommonJS, in every entry', async () => {
    const attw = tool('@arethetypeswrong', 'cli', 'dist', 'index.js');
    const { code, output } = await runCommand(
      process.execPath,
      [attw, installed.packed.tarball, '--profile', 'node16', '--format', 'json'],
      { cwd: root },
    );
    const { analysis, problems = {} } = JSON.parse(output) as {
      analysis: { entrypoints: object };
      problems?: Record<string, { resolutionKind: string }[]>;
    };
    expect(Object.keys(analysis.entrypoints)).toEqual(expect.arrayContaining(['./oauth', './changes']));
    // Packages no longer need to support how Node.js worked before it knew `exports`.
    const right = (found: { resolutionKind: string }[]): boolean => found.every(({ resolutionKind }) => resolutionKind === 'node10');
    expect([code, Object.entries(problems).filter(([, found]) => !right(found))]).toEqual([0, []]);
  });

  test('depends only on zod, runs no install script, and includes its licence, its page and its program', async () => {
    const manifest = JSON.parse(await installed.read('package.json')) as Record<string, Record<string, string>>;
    expect(Object.keys(manifest['dependencies'] ?? {})).toEqual(['zod']);
    expect(manifest).not.toHaveProperty('scripts');
    expect(await installed.read('LICENSE')).toContain('MIT License');
    expect((await readFile(installed.program, 'utf8')).startsWith('#!/usr/bin/env node\n')).toBe(true);
  });

  test('holds nothing of a platform in its entries, except in those that say so', async () => {
    const folder = join(installed.folder, 'node_modules', installed.name, 'dist');
    const reaching: string[] = [];
    for (const file of await readdir(folder)) {
      if (!file.endsWith('.js') || ['cli.js', 'node.js'].includes(file)) continue;
      if (/from ?"node:|require\(|from ?"(?!zod\/v4|\.\/)/.test(await readFile(join(folder, file), 'utf8'))) reaching.push(file);
    }
    expect(reaching).toEqual([]);
  });

  test('has types that do not mention zod, so that nobody needs our copy', async () => {
    const folder = join(installed.folder, 'node_modules', installed.name, 'dist');
    const files: string[] = [];
    for await (const file of glob('types/**/*.d.ts', { cwd: folder })) files.push(await readFile(join(folder, file), 'utf8'));
    expect(files.length).toBeGreaterThan(10);
    expect(files.filter((text) => /from 'zod/.test(text))).toEqual([]);
  });
});

test('every entry of the manifest has its source, in both forms and with its types', async () => {
  const manifest = JSON.parse(await readFile(join(root, 'sdk', 'package.json'), 'utf8')) as { exports: Record<string, unknown> };
  for (const name of Object.keys(await entriesOf())) {
    const at = (ending: string): string => `./dist/${name}${ending}`;
    // Types are found by the name of the file that they stand beside.
    expect(manifest.exports[name === 'index' ? '.' : `./${name}`]).toEqual({ import: at('.js'), require: at('.cjs') });
  }
});

test('an error that nobody catches is printed under its own name, with the names of the wrong fields', async () => {
  const call = `createClient({ auth: 'token' }).bookings.get({ booking_id: '..' })`;
  const file = await installed.write('fails.mjs', `import { createClient } from 'our-package';\nawait ${call};\n`);
  const { code, output } = await runCommand(process.execPath, [file], { cwd: installed.folder });
  expect(code).toBe(1);
  expect(output).toMatch(/^ServiceError: "Booking" cannot be an ID/m);
  expect(output).toContain("field: 'booking_id'");
});

test.each([
  ['', 'createClient'],
  ['/oauth', 'createOAuth'],
  ['/webhooks', 'createReceiver'],
  ['/changes', 'createPoller'],
])('our-package%s, bundled for a worker, has at most 96 KB without zod', async (name, what) => {
  const { outputFiles } = await build({
    entryPoints: [await installed.write('worker.js', `export { ${what} } from 'our-package${name}';\n`)],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    external: ['zod/v4'],
    write: false,
  });
  const bytes = outputFiles.reduce((sum, { contents }) => sum + contents.length, 0);
  expect(bytes).toBeLessThanOrEqual(96 * 1024);
  expect(bytes).toBeGreaterThan(5 * 1024);
});
