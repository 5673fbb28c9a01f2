import { spawn } from 'node:child_process';
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../tools/process/freePort.ts';
import { isAlive } from '../../tools/process/parent.mjs';
import { nodeOf, oldest } from '../support/node.ts';
import { root } from '../../tools/root.cjs';
import { Reader } from '../support/reader.ts';
import { until } from '../support/until.ts';

describe(`the script that every command goes through, started with Node.js ${oldest}`, () => {
  let reader: Reader;
  let clone: string;

  /** A project as it is after cloning. Its only package brings Node.js along, like npm's own package for it. */
  beforeAll(async () => {
    reader = await Reader.with(oldest);
    clone = join(reader.home, 'a clone');
    await cp(join(root, 'tools'), join(clone, 'tools'), { recursive: true });
    const name = `node-${process.platform}-${process.arch}`;
    await mkdir(join(clone, 'brought', 'bin'), { recursive: true });
    await symlink(process.execPath, join(clone, 'brought', 'bin', 'node'));
    await writeFile(join(clone, 'brought', 'package.json'), JSON.stringify({ name, version: '1.0.0' }));
    const own = { name: 'a-clone', version: '1.0.0', type: 'module', dependencies: { [name]: 'file:./brought' } };
    await writeFile(join(clone, 'package.json'), JSON.stringify(own));
    await reader.must('npm install --package-lock-only --silent', clone);
    await rm(join(clone, 'node_modules'), { recursive: true, force: true });
  });
  afterAll(() => reader.close());

  it('in a fresh clone it first installs the packages and says so, and never again', async () => {
    await writeFile(join(clone, 'version.ts'), 'const is: boolean = Number.parseInt(process.versions.node) >= 24; console.log(is);');
    const command = 'node tools/run.mjs version.ts';
    expect(await reader.must(command, clone)).toMatch(/^Installing the packages [^]*true\n$/);
    expect(await reader.must(command, clone)).toBe('true\n');
  });

  it('says within seconds that the registry cannot be reached, and why, without a stack trace', async () => {
    const far = join(reader.home, 'far');
    await cp(join(root, 'tools'), join(far, 'tools'), { recursive: true });
    const dependencies = Object.fromEntries(['one', 'two'].map((name) => [name, '1.0.0']));
    const packages = Object.fromEntries(Object.entries(dependencies).map(([name, version]) => [`node_modules/${name}`, { version }]));
    await writeFile(join(far, 'package.json'), JSON.stringify({ name: 'far', version: '1.0.0', dependencies }));
    const lock = { name: 'far', version: '1.0.0', lockfileVersion: 3, packages: { '': { dependencies }, ...packages } };
    await writeFile(join(far, 'package-lock.json'), JSON.stringify(lock));
    const nowhere = `http://127.0.0.1:${await freePort()}/`;
    const started = Date.now();
    const { code, output } = await reader.run('node tools/run.mjs any.ts', far, {
      npm_config_offline: 'false',
      npm_config_registry: nowhere,
    });
    expect(code).toBe(1);
    expect(output.split('\n').filter((line) => !line.startsWith('  still installing, '))).toEqual([
      'Installing the packages this project needs into node_modules (1.2 GB, one to three minutes) ...',
      'The packages could not be installed. Check the network connection and the npm registry, then run the same command again. npm says:',
      expect.stringMatching(new RegExp(`^request to ${nowhere}zod failed, reason: connect ECONNREFUSED`)),
      '',
    ]);
    // npm alone takes 70 seconds and more.
    expect(Date.now() - started).toBeLessThan(65_000);
  });

  it('ends the script when the process that started it is gone', async () => {
    const orphan = 'setInterval(() => {}, 1000); (await import("node:fs")).writeFileSync("pid", String(process.pid));';
    await writeFile(join(clone, 'orphan.ts'), orphan);
    const command = 'require("node:child_process").spawn(process.execPath, ["tools/run.mjs", "orphan.ts"])';
    const starter = spawn(await nodeOf(oldest), ['-e', command], { cwd: clone, stdio: 'ignore' });
    const pid = await until(async () => Number(await readFile(join(clone, 'pid'), 'utf8').catch(() => '')) || undefined);
    expect(isAlive(pid)).toBe(true);
    starter.kill('SIGKILL');
    await until(() => !isAlive(pid));
  });
});
