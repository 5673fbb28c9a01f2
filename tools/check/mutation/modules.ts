import { readFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { dirname, extname, join, sep } from 'node:path';
import { compileFunction, constants, runInContext, type Context } from 'node:vm';
import throughEsbuild from '../../jest/esbuild.mjs';

interface Loaded {
  exports: unknown;
  id: string;
  filename: string;
  loaded: boolean;
  children: never[];
  paths: never[];
}

type Require = ((request: string) => unknown) & { resolve: NodeJS.RequireResolve; cache: object };

const packages = `${sep}node_modules${sep}`;
/** ES modules, which become CommonJS as they do for jest. */
const transformed = new RegExp(`\\.[mc]?ts$|\\.mjs$|${['', 'node_modules', 'oauth4webapi', ''].join(`\\${sep}`)}`);
const parameters = ['exports', 'require', 'module', '__filename', '__dirname'];

/**
 * Loads modules into a context of their own, as jest does. The project's modules can be loaded again as often as wanted, so that nothing
 * that one test file or one change leaves behind reaches the next. The packages stay loaded: that is what jest takes a second for.
 */
export class Modules {
  readonly #root: string;
  readonly #context: Context;
  readonly #packages = new Map<string, Loaded>();
  readonly #code = new Map<string, string>();
  #ours = new Map<string, Loaded>();
  #mocks = new Map<string, unknown>();

  /**
   * @param root the folder of the project
   * @param context where the modules run
   */
  constructor(root: string, context: Context) {
    this.#root = root;
    this.#context = context;
  }

  /** From here on, the project's modules are loaded again. */
  forget(): void {
    this.#ours = new Map();
    this.#mocks = new Map();
  }

  /** Loads what `request` names for a file. */
  load(request: string, from = join(this.#root, 'package.json')): unknown {
    return this.#mocks.has(request) ? this.#mocks.get(request) : this.actual(request, from);
  }

  /** From here on, the project gets this in place of a package. */
  mock(request: string, instead: unknown): void {
    this.#mocks.set(request, instead);
  }

  /** Loads what `request` names for a file, whatever stands in its place. */
  actual(request: string, from: string): unknown {
    const native = createRequire(from);
    if (isBuiltin(request)) return request.endsWith('process') ? runInContext('process', this.#context) : (native(request) as unknown);
    const path = native.resolve(request);
    const registry = path.startsWith(this.#root) && !path.includes(packages) ? this.#ours : this.#packages;
    const known = registry.get(path);
    if (known !== undefined) return known.exports;
    if (extname(path) === '.node') return native(path);
    const module: Loaded = { exports: {}, id: path, filename: path, loaded: false, children: [], paths: [] };
    registry.set(path, module);
    try {
      this.#evaluate(module);
    } catch (error) {
      registry.delete(path);
      throw error;
    }
    module.loaded = true;
    return module.exports;
  }

  #evaluate(module: Loaded): void {
    const path = module.filename;
    const code = this.#codeOf(path);
    if (extname(path) === '.json') {
      module.exports = (runInContext('JSON.parse', this.#context) as typeof JSON.parse)(code);
      return;
    }
    const run = compileFunction(code, parameters, {
      filename: path,
      parsingContext: this.#context,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    }) as (...given: unknown[]) => void;
    run.call(module.exports, module.exports, this.#requireFor(path), module, path, dirname(path));
  }

  #requireFor(path: string): Require {
    const load = (request: string): unknown => this.load(request, path);
    return Object.assign(load, { resolve: createRequire(path).resolve, cache: {} });
  }

  #codeOf(path: string): string {
    const known = this.#code.get(path);
    if (known !== undefined) return known;
    const source = readFileSync(path, 'utf8');
    const code = transformed.test(path) ? throughEsbuild.process(source, path).code : source.replace(/^#!.*/, '');
    this.#code.set(path, code);
    return code;
  }
}
