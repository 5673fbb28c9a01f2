import { readFileSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { transformSync, version } from 'esbuild';

/** A change of this file makes other code of every source. */
const own = readFileSync(import.meta.filename, 'utf8');

/** Turns one source file into CommonJS for jest. Types are removed but not checked: `npm run check` checks them. */
export default {
  /**
   * The same text gives the same code in every copy of the sources: other worktrees, and those that tests make.
   *
   * @param {string} source
   * @param {string} path
   * @param {{ config: { rootDir: string }, instrument: boolean }} options
   */
  getCacheKey: (source, path, { config, instrument }) => [version, own, instrument, relative(config.rootDir, path), source].join('\0'),

  /**
   * @param {string} source
   * @param {string} path
   */
  process(source, path) {
    const { code, map } = transformSync(source, {
      loader: path.endsWith('.ts') ? 'ts' : 'js',
      format: 'cjs',
      target: 'node24',
      // Jest's own modules are CommonJS, and only CommonJS can be imported later.
      supported: { 'dynamic-import': false },
      // In CommonJS, import.meta is an empty object, without a word.
      define: { 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename', 'import.meta.url': 'importMetaUrl' },
      ...(source.includes('import.meta.url')
        ? { banner: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;" }
        : {}),
      sourcefile: basename(path),
      sourcemap: 'external',
    });
    return { code, map };
  },
};
