import { spawn } from 'node:child_process';
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive } from '../../tools/process/parent.mjs';
import { nodeOf, oldest } from '../../tools/rigs/node.ts';
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
