import { transformSync } from 'esbuild';

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
      sourcefile: path,
      sourcemap: 'inline',
    });
    return { code };
  },
};
