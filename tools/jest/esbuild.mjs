import { transformSync } from 'esbuild';

/** What runs before any package is there is an ES module, which finds its files by its address. */
const fromItsAddress = {
  define: { 'import.meta.url': 'addressOfThisFile' },
  banner: "const addressOfThisFile = require('node:url').pathToFileURL(__filename).href;",
};

/** Turns one source file into CommonJS for jest: types are erased, not checked (`npm run check` does that). */
export default {
  /**
   * @param {string} source
   * @param {string} path
   */
  process(source, path) {
    const { code } = transformSync(source, {
      loader: path.endsWith('.ts') ? 'ts' : 'js',
      format: 'cjs',
      target: 'node24',
      // Jest's own modules are CommonJS, and only those can be imported later.
      supported: { 'dynamic-import': false },
      ...(path.endsWith('.mjs') && fromItsAddress),
      sourcefile: path,
      sourcemap: 'inline',
    });
    return { code };
  },
};
