import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rename, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { root } from '../../tools/root.cjs';
import { until } from '../support/until.ts';

let folder: string;
let cache: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'install-'));
  cache = join(folder, 'cache');
  await mkdir(join(folder, 'bin'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** At one moment, because a child that began before may be running or copying it. */
async function writeProgram(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text, { mode: 0o755 });
  await rename(`${file}.new`, file);
}

/** Begins to install n8n with an npm that does this instead of `npm install`, and brings a Bun that does what `bun` says, if there is one. */
async function begin(bun: string | undefined, install = 'exit 1', reach = 'true'): Promise<ChildProcess> {
  const program = `mkdir -p node_modules/@oven/bun/bin; cp "${folder}/bun" node_modules/@oven/bun/bin/bun`;
  await writeProgram(join(folder, 'bun'), `#!/bin/sh\necho bun "$@" >> ${folder}/calls\n${bun}`);
  const npm = `case $1 in ci) ${reach} && ${bun === undefined ? 'true' : program};; install) ${install};; rebuild) PATH="\${PATH#*:}" exec npm "$@";; esac`;
  await writeProgram(join(folder, 'bin', 'npm'), `#!/bin/sh\necho npm "$@" >> ${folder}/calls\n${npm}\n`);
  const start = `import { installN8n } from '${join(root, 'tools', 'rigs', 'n8n', 'install.ts')}'; await installN8n();`;
  const PATH = [join(folder, 'bin'), process.env['PATH']].join(delimiter);
  const env = { ...process.env, PATH, SCHEDULING_CONNECTOR_CACHE: cache };
  return spawn(process.execPath, ['--input-type=module', '--eval', start], { env, stdio: 'ignore' });
}

const ended = async (child: ChildProcess): Promise<number> => ((await once(child, 'exit')) as [number])[0];
const installed = async (): Promise<string[]> => (await readdir(cache)).filter((name) => !name.endsWith('.lock'));
const modules = async (...of: string[]): Promise<string> => join(cache, (await installed()).join(), 'node_modules', ...of);
const calls = async (): Promise<string[]> => (await readFile(join(folder, 'calls'), 'utf8')).trim().split('\n');

it('several that begin at once install n8n once, without the packages’ scripts', async () => {
  const bun = 'sleep 0.3; mkdir -p node_modules/by-bun node_modules/.bin';
  const children = [await begin(bun), await begin(bun), await begin(bun)];
  expect(await Promise.all(children.map(ended))).toEqual([0, 0, 0]);
  expect(await readdir(await modules())).toEqual(expect.arrayContaining(['by-bun']));
  expect(await calls()).toEqual([
    expect.stringMatching(/^npm ci --ignore-scripts/),
    expect.stringMatching(/^bun install .*--frozen-lockfile .*--ignore-scripts/),
    expect.stringMatching(/^npm rebuild isolated-vm sqlite3/),
  ]);
});

/** Two packages that have to be compiled, and an old node-gyp. */
const packages = Object.entries({ sqlite3: 'node-gyp --version > built', 'isolated-vm': 'node-gyp-build > built' })
  .map(([name, install]) => {
    const manifest = JSON.stringify({ name, version: '1.0.0', scripts: { install } });
    return `mkdir -p node_modules/${name}; printf '%s' '${manifest}' > node_modules/${name}/package.json`;
  })
  .concat(
    `echo '{"dependencies":{"sqlite3":"*","isolated-vm":"*"}}' > package.json; rm package-lock.json; mkdir node_modules/.bin`,
    `printf '#!/bin/sh\\nexit 1' > node_modules/.bin/node-gyp; printf '#!/bin/sh\\necho prebuilt' > node_modules/.bin/node-gyp-build`,
    'chmod +x node_modules/.bin/*',
  )
  .join('; ');

it.each([
  ['there is no Bun for this system', undefined],
  ['Bun reaches no registry', 'mkdir -p node_modules/half; exit 1'],
])('npm installs if %s, and its own node-gyp compiles: that of n8n’s packages fails with Python 3.12', async (_, bun) => {
  expect(await ended(await begin(bun, packages))).toBe(0);
  expect(await readdir(await modules())).not.toContain('half');
  expect(await readFile(await modules('sqlite3', 'built'), 'utf8')).toMatch(/^v\d+/);
  expect(await readFile(await modules('isolated-vm', 'built'), 'utf8')).toBe('prebuilt\n');
});

it('npm is not asked again if it has reached no registry', async () => {
  const refused = "{ echo 'npm error request to http://127.0.0.1:9/bun failed, reason: connect ECONNREFUSED 127.0.0.1:9'; exit 1; }";
  expect(await ended(await begin('exit 1', packages, refused))).not.toBe(0);
  expect(await calls()).toEqual([expect.stringMatching(/^npm ci /)]);
});

it('what failed or was halted is never used, and begins again', async () => {
  expect(await ended(await begin(undefined))).not.toBe(0);
  const halted = await begin('touch half; exec sleep 60');
  await until(async () => {
    const partial = (await readdir(cache)).find((name) => name.endsWith(`.partial-${halted.pid}`));
    return partial !== undefined && (await readdir(join(cache, partial))).includes('half');
  });
  halted.kill('SIGKILL');
  await once(halted, 'exit');

  expect(await ended(await begin('mkdir -p node_modules/.bin'))).toBe(0);
  expect(await readdir(await modules('..'))).not.toContain('half');
});
