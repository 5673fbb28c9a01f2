import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mustRun, runCommand } from '../../tools/process/command.ts';
import { majors, nodeOf } from '../../tools/rigs/node.ts';
import { root } from '../../tools/root.cjs';
import { tarballOf } from '../support/tarball.ts';
import { Installed } from './installed.ts';
import { programUsing, Stage } from './stage.ts';

let stage: Stage;
let installed: Installed;
beforeAll(async () => {
  stage = await Stage.open();
  installed = await Installed.open();
});
afterAll(async () => {
  await installed.close();
  await stage.close();
});

describe.each(majors)('on Node.js %d', (major) => {
  test.each([
    ['as an ES module', 'use.mjs', 'import'],
    ['as CommonJS', 'use.cjs', 'require'],
  ] as const)('is loaded %s with all of its parts, and calls the service', async (_, file, load) => {
    const node = await nodeOf(major);
    const others = ['node', 'webhooks', 'stores'].map((name) =>
      load === 'import' ? `import 'our-package/${name}';` : `require('our-package/${name}');`,
    );
    const path = await installed.write(file, `${others.join('\n')}\n${programUsing(stage, load)}\nmain().then(console.log);\n`);
    expect(await mustRun(node, ['--version'], { cwd: installed.folder })).toMatch(new RegExp(`^v${major}\\.`));
    const { output } = await runCommand(node, [path], { cwd: installed.folder, env: { NODE_OPTIONS: '' } });
    expect(output.trim()).toBe(stage.sandbox.account.email);
  });
});

test('npm installs it from its tarball with the next major version of zod as well, and its command line runs', async () => {
  const zod = await realpath(join(root, 'node_modules', '@modelcontextprotocol', 'core', 'node_modules', 'zod'));
  expect(JSON.parse(await readFile(join(zod, 'package.json'), 'utf8'))).toMatchObject({
    version: expect.stringMatching(/^4\./) as unknown,
  });
  const folder = join(installed.folder, 'own');
  await mkdir(folder);
  // Without a registry, so zod comes from a tarball as well.
  const tarballs = [await tarballOf(zod, folder), installed.packed.tarball];
  await writeFile(join(folder, 'package.json'), '{ "name": "own", "version": "1.0.0" }');
  await mustRun('npm', ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', ...tarballs], { cwd: folder });
  const text = `${programUsing(stage, 'import')}\nmain().then(console.log);\n`.replaceAll('our-package', installed.name);
  const { output } = await runCommand(process.execPath, ['--input-type=module', '--eval', text], { cwd: folder });
  expect(output.trim()).toBe(stage.sandbox.account.email);
  const bin = join(folder, 'node_modules', '.bin', installed.name);
  expect((await runCommand(bin, ['--help'], { cwd: folder })).output).toContain(`${installed.name} bookings create`);
});
