import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Circus } from '@jest/types';
import type * as JestCircus from 'jest-circus';
import { TestEnvironment } from 'jest-environment-node';
import { root as packages } from '../../root.cjs';
import { Modules } from './modules.ts';

/** How one test ended. */
export interface Outcome {
  name: string;
  /** Milliseconds. */
  took: number;
  /** What failed, or undefined. */
  failure: string | undefined;
}

export interface Choice {
  /** Which tests of the file run, by name; without it, all. */
  only?: ReadonlySet<string>;
  /** Whether the first failure ends the file. */
  bail: boolean;
  /** The longest time for one test or hook, in milliseconds. */
  patience: number;
  /** Told when a test begins, and with undefined when it has ended. */
  onTest?: (name: string | undefined) => void;
}

const nameOf = ({ name, parent }: Circus.TestEntry | Circus.DescribeBlock): string =>
  parent?.parent === undefined ? name : `${nameOf(parent)} ${name}`;

function testsOf({ children }: Circus.DescribeBlock): Circus.TestEntry[] {
  return children.flatMap((child) => (child.type === 'describeBlock' ? testsOf(child) : [child]));
}

/**
 * Runs jest's test files in this process, with jest's own parts. Only the project's modules are loaded again for each file, so a file begins
 * within milliseconds, where jest takes a second.
 */
export class Suite {
  readonly #environment: InstanceType<typeof TestEnvironment>;
  readonly #modules: Modules;
  readonly #circus: typeof JestCircus;

  /** @param root the folder of the project */
  constructor(root: string) {
    const projectConfig = { globals: {}, testEnvironmentOptions: {}, fakeTimers: {}, rootDir: root };
    this.#environment = new TestEnvironment({ globalConfig: {}, projectConfig } as never, { docblockPragmas: {}, testPath: '', console });
    const context = this.#environment.getVmContext();
    if (context === null) throw new Error('Jest made no context for the tests.');
    this.#modules = new Modules(root, context);
    const jest = createRequire(join(packages, 'package.json')).resolve;
    this.#circus = this.#modules.load(jest('jest-circus')) as typeof JestCircus;
    const { jestExpect } = this.#modules.load(jest('@jest/expect')) as { jestExpect: unknown };
    const { describe, it, test, beforeAll, beforeEach, afterAll, afterEach } = this.#circus;
    (this.global['process'] as NodeJS.Process).exit = (code) => {
      throw new Error(`The program ended with ${code}.`);
    };
    Object.assign(this.global, { describe, it, test, beforeAll, beforeEach, afterAll, afterEach, expect: jestExpect });
  }

  /** The global object of the tests and of what they test. */
  get global(): Record<string, unknown> {
    return this.#environment.global;
  }

  /** Runs one file. What fails while it loads is the failure of a test without a name. */
  async run(path: string, { only, bail, patience, onTest }: Choice): Promise<Outcome[]> {
    const { moduleMocker, fakeTimersModern } = this.#environment;
    this.#circus.resetState();
    this.#modules.forget();
    this.global['jest'] = this.#jest(path);
    try {
      this.#modules.load(path);
    } catch (error) {
      return [{ name: '', took: 0, failure: said(error) }];
    }
    const state = this.#circus.getState();
    state.testTimeout = patience;
    const tests = testsOf(state.rootDescribeBlock);
    for (const test of tests) if (only !== undefined && !only.has(nameOf(test))) test.mode = 'skip';
    const outcomes: Outcome[] = [];
    let begun = 0;
    const follow = ((event: Circus.Event): void => {
      if (event.name === 'test_started') {
        begun = performance.now();
        onTest?.(nameOf(event.test));
      } else if (event.name === 'test_done') {
        onTest?.(undefined);
        const [failure] = event.test.errors as unknown[];
        outcomes.push({
          name: nameOf(event.test),
          took: performance.now() - begun,
          failure: failure === undefined ? failure : said(failure),
        });
        if (bail && failure !== undefined) for (const test of tests) test.mode = 'skip';
      }
    }) as Circus.EventHandler;
    this.#circus.addEventHandler(follow);
    try {
      await this.#circus.run();
    } finally {
      this.#circus.removeEventHandler(follow);
      moduleMocker?.restoreAllMocks();
      fakeTimersModern?.useRealTimers();
    }
    return outcomes;
  }

  /** What the project's tests use of `jest`. */
  #jest(path: string): object {
    const { moduleMocker: mocker, fakeTimersModern: timers } = this.#environment;
    if (mocker === null || timers === null) throw new Error('The environment of the tests has ended.');
    return {
      fn: mocker.fn.bind(mocker),
      spyOn: mocker.spyOn.bind(mocker),
      restoreAllMocks: () => mocker.restoreAllMocks(),
      mock: (name: string, make: () => unknown) => this.#modules.mock(name, make()),
      requireActual: (name: string) => this.#modules.actual(name, path),
      setTimeout: () => undefined,
      useFakeTimers: (options?: never) => timers.useFakeTimers(options),
      useRealTimers: () => timers.useRealTimers(),
      advanceTimersByTime: (milliseconds: number) => timers.advanceTimersByTime(milliseconds),
      getTimerCount: () => timers.getTimerCount(),
      setSystemTime: (time: number) => timers.setSystemTime(time),
    };
  }
}

/** @param failure an error, or an error with the place where it was made */
function said(failure: unknown): string {
  if (Array.isArray(failure)) return said(failure[0] ?? failure[1]);
  const { stack, message } = (failure ?? {}) as { stack?: unknown; message?: unknown };
  return String(stack ?? message ?? failure);
}
