import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

/**
 * The ES modules of `n8n-workflow` import each other without file extensions, which only bundlers understand. n8n itself loads the CommonJS
 * form, and so does this process.
 */
const commonJs = pathToFileURL(createRequire(import.meta.url).resolve('n8n-workflow')).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'n8n-workflow' ? { url: commonJs, format: 'commonjs', shortCircuit: true } : next(specifier, context),
});

const { command } = await import('./command.ts');
await command();
