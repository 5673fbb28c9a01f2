import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { builtPackage } from '../../tools/build/products.ts';
import { asInThePackage, networkByRuntime } from '../../tools/build/sdk.ts';
import { withoutTexts } from '../../tools/build/withoutTexts.ts';
import { mustRun } from '../../tools/process/command.ts';
import { root } from '../../tools/root.cjs';
import { OpenedParts } from '../../tools/process/opened.ts';
import { rounded, type Line, type ReportRow } from '../report.ts';

/** What applications of this kind install instead, in the newest versions. */
const peers = ['@octokit/rest', 'resend', 'standardwebhooks'];

/** How often each package is loaded, in turns with the others. */
const turns = 15;

/** The composition of `createClient`'s code in a page: the share of each source folder. */
async function sharesOf(): Promise<string> {
  const stdin = { contents: "export { createClient } from './sdk/index.ts';", resolveDir: root };
  const plugins = [networkByRuntime, withoutTexts];
  const bundled = { bundle: true, minify: true, format: 'esm', write: false, metafile: true, absWorkingDir: root } as const;
  const { metafile } = await build({ ...asInThePackage, ...bundled, stdin, plugins, outfile: 'page.js' });
  const bytes = new Map<string, number>();
  for (const { inputs } of Object.values(metafile.outputs))
    for (const [file, { bytesInOutput }] of Object.entries(inputs)) {
      const [, folder = 'shared'] = /^((?:shared\/\w+|sdk)(?=\/))/.exec(file) ?? [];
      bytes.set(folder, (bytes.get(folder) ?? 0) + bytesInOutput);
    }
  const all = [...bytes.values()].reduce((sum, each) => sum + each, 0);
  const shares = [...bytes]
    .sort(([, one], [, other]) => other - one)
    .map(([folder, each]) => `${folder} ${Math.round((each / all) * 100)} %`);
  return `Of its code: ${shares.join(', ')}.`;
}

export const sdk: ReportRow = {
  name: 'package',
  title: 'What the package for developers costs a web page, and the start of a program',
  async run() {
    const opened = new OpenedParts();
    try {
      const { name, tarball } = await builtPackage('sdk');
      const folder = await opened.temporaryFolder('bench-package-');
      await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
      await mustRun('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', tarball, ...peers], {
        cwd: folder,
      });
      const withVersion = async (peer: string): Promise<string> => {
        const { version } = JSON.parse(await readFile(join(folder, 'node_modules', peer, 'package.json'), 'utf8')) as { version: string };
        return `${peer} ${version}`;
      };

      /** The size of what a page loads. @returns kB of 1,000 bytes, minified and gzipped */
      const inPage = async (what: string, from: string): Promise<number> => {
        const stdin = { contents: `export { ${what} } from '${from}';`, resolveDir: folder };
        const { outputFiles } = await build({ stdin, bundle: true, minify: true, format: 'esm', platform: 'browser', write: false });
        return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length / 1_000;
      };
      const size = async (what: string, from: string, peer: string, theirs: string, most?: number): Promise<Line> => {
        const [figure, beside] = [await inPage(what, from), await inPage(theirs, peer)];
        const against = `${await withVersion(peer)}, ${theirs}: ${rounded(beside)} kB`;
        const note = what === 'createClient' ? await sharesOf() : undefined;
        return { what: `in a page: ${what}`, ours: `${rounded(figure)} kB`, against, figure, unit: 'kB', most: most ?? beside, note };
      };

      /** The processor time of a program that loads only this. Milliseconds, the median of all turns. */
      const loaded = async (entries: readonly string[]): Promise<number[]> => {
        const times = entries.map((): number[] => []);
        for (let turn = 0; turn < turns; turn += 1)
          for (const [index, entry] of entries.entries()) {
            const program = `await import('${entry}'); const { user, system } = process.cpuUsage(before); console.log((user + system) / 1000);`;
            const words = ['--input-type=module', '--eval', `const before = process.cpuUsage(); ${program}`];
            times[index]?.push(Number(await mustRun(process.execPath, words, { cwd: folder })));
          }
        return times.map((each) => each.sort((one, other) => one - other)[turns >> 1] ?? Number.NaN);
      };
      const [webhooks = 0, standard = 0, whole = 0, octokit = 0] = await loaded([
        `${name}/webhooks`,
        'standardwebhooks',
        name,
        '@octokit/rest',
      ]);
      const load = async (entry: string, ms: number, peer: string, theirs: number, most: number): Promise<Line> => ({
        what: `loaded by Node: ${entry}`,
        ours: `${rounded(ms)} ms of processor time`,
        against: `${await withVersion(peer)}: ${rounded(theirs)} ms`,
        figure: ms / theirs,
        unit: 'x',
        most,
      });
      return [
        await size('createClient', name, 'resend', 'Resend', 42.1),
        await size('createClientOf, createBooking, listBookings', `${name}/operations`, '@octokit/rest', 'Octokit'),
        await size('createClientOf, createBooking, listEventTypes', `${name}/operations`, '@octokit/rest', 'Octokit'),
        await size('createClientOf, listEventTypes', `${name}/operations`, '@octokit/rest', 'Octokit'),
        await load('the package', whole, '@octokit/rest', octokit, 1.5),
        await load('its `webhooks`', webhooks, 'standardwebhooks', standard, 3),
      ];
    } finally {
      await opened.closeAll();
    }
  },
};
