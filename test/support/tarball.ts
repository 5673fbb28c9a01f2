import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { mustRun } from '../../tools/process/command.ts';

/**
 * Packs an installed package, so that npm can install it without a registry: without the sources that it brings along and nobody loads,
 * and as fast as can be. npm would spend seconds on making it small.
 *
 * @param from the package's folder
 * @param to where the tarball goes
 * @returns the tarball's path
 */
export async function tarballOf(from: string, to: string): Promise<string> {
  const { name, version } = JSON.parse(await readFile(join(from, 'package.json'), 'utf8')) as { name: string; version: string };
  const tarball = join(to, `${name}-${version}.tgz`);
  const inTarball = `s,^${basename(from)},package,`;
  const how = ['--use-compress-program=gzip -1', '--transform', inTarball, `--exclude=${basename(from)}/src`];
  await mustRun('tar', ['-cf', tarball, ...how, basename(from)], { cwd: dirname(from) });
  return tarball;
}
