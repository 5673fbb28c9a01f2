import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import {
  DryRunStatus,
  MutantRunStatus,
  TestStatus,
  type DryRunOptions,
  type DryRunResult,
  type MutantRunOptions,
  type MutantRunResult,
  type TestResult,
  type TestRunner,
} from '@stryker-mutator/api/test-runner';
import { testFiles } from './scope.ts';
import { Suite } from './suite.ts';

/** What a run without a change found out about one test file. */
interface Known {
  names: string[];
  /** How long each test took, and how long the file took beside its tests. Milliseconds. */
  took: number[];
  beside: number;
  /** The tests that reach a change, by their place in `names`. A change that is missing here is reached while the file loads or sets up. */
  reached: Record<string, number[]>;
}

/** What Stryker's changed code reads and writes. */
interface Stryker {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
  mutantCoverage?: { static: Record<string, number>; perTest: Record<string, Record<string, number>> };
}

interface Job {
  file: string;
  only?: Set<string>;
  /** Expected milliseconds. */
  takes: number;
  /** How long one test or hook may take. A change that lets a test wait for ever is noticed then. Milliseconds. */
  patience: number;
}

/** The code that notices nothing in this time, by the times of a run without a change, counts as unnoticing. Milliseconds. */
const enough = 5_000;
const betweenTests = '-';

/**
 * Runs jest's test files for Stryker in one process, in place of Stryker's runner for jest, which starts jest for each change. To Stryker,
 * a test is a whole file; inside a file, only the tests run that reach the change.
 */
class InProcess implements TestRunner {
  readonly #root = process.cwd();
  readonly #suite = new Suite(this.#root);
  /** How many changes of a source file each test file has noticed: it is asked first for the next one. */
  readonly #noticed = new Map<string, Map<string, number>>();
  #known: Record<string, Known> | undefined;

  constructor() {
    // What a changed program throws where nobody waits for it would end this process, and with it the count of other changes.
    for (const event of ['uncaughtException', 'unhandledRejection']) process.on(event, () => undefined);
  }

  capabilities(): { reloadEnvironment: boolean } {
    return { reloadEnvironment: true };
  }

  async dryRun({ timeout }: DryRunOptions): Promise<DryRunResult> {
    const stryker: Stryker = (this.#suite.global['__stryker__'] = {});
    const known: Record<string, Known> = {};
    const tests: TestResult[] = [];
    const coverage: Record<string, Record<string, number>> = {};
    for (const file of await testFiles(this.#root)) {
      stryker.mutantCoverage = { static: {}, perTest: {} };
      const perTest = stryker.mutantCoverage.perTest;
      stryker.currentTestId = betweenTests;
      const begun = performance.now();
      const onTest = (name = betweenTests): void => void (stryker.currentTestId = name);
      const outcomes = await this.#suite.run(join(this.#root, file), { bail: false, patience: timeout, onTest });
      const timeSpentMs = performance.now() - begun;
      const failed = outcomes.find(({ failure }) => failure !== undefined);
      const common = { id: file, name: file, fileName: join(this.#root, file), timeSpentMs };
      if (failed !== undefined)
        tests.push({ ...common, status: TestStatus.Failed, failureMessage: `${failed.name}: ${failed.failure ?? ''}` });
      else tests.push({ ...common, status: TestStatus.Success });
      const names = outcomes.map(({ name }) => name);
      const took = outcomes.map((each) => each.took);
      const reached: Record<string, number[]> = {};
      names.forEach((name, place) => {
        for (const id of Object.keys(perTest[name] ?? {})) (reached[id] ??= []).push(place);
      });
      for (const id of Object.keys(perTest[betweenTests] ?? {})) Reflect.deleteProperty(reached, id);
      known[file] = { names, took, beside: timeSpentMs - took.reduce((sum, each) => sum + each, 0), reached };
      const hits: Record<string, number> = (coverage[file] = {});
      for (const counts of Object.values(perTest)) for (const [id, count] of Object.entries(counts)) hits[id] = (hits[id] ?? 0) + count;
    }
    mkdirSync(dirname(this.#notes), { recursive: true });
    writeFileSync(this.#notes, JSON.stringify(known));
    return { status: DryRunStatus.Complete, tests, mutantCoverage: { static: {}, perTest: coverage } };
  }

  async mutantRun({ activeMutant, testFilter = [], hitLimit }: MutantRunOptions): Promise<MutantRunResult> {
    const stryker: Stryker = { activeMutant: activeMutant.id, hitCount: hitLimit === undefined ? undefined : 0, hitLimit };
    const source = relative(this.#root, activeMutant.fileName);
    let nrOfTests = 0;
    for (const { file, only, patience } of this.#chosen(activeMutant.id, source, testFilter)) {
      this.#suite.global['__stryker__'] = stryker;
      const outcomes = await this.#suite.run(join(this.#root, file), {
        ...(only && { only }),
        bail: true,
        patience,
      });
      nrOfTests += outcomes.length;
      const failed = outcomes.find(({ failure }) => failure !== undefined);
      if (failed !== undefined || outcomes.length === 0) {
        const counts = this.#countsOf(source);
        counts.set(file, (counts.get(file) ?? 0) + 1);
        if (hitLimit !== undefined && (stryker.hitCount ?? 0) > hitLimit) return { status: MutantRunStatus.Timeout };
        return { status: MutantRunStatus.Killed, killedBy: [file], failureMessage: `${failed?.name}: ${failed?.failure}`, nrOfTests };
      }
    }
    return { status: MutantRunStatus.Survived, nrOfTests };
  }

  /** The files that are asked about a change: those first that noticed others in the same source, then the quickest. */
  #chosen(id: string, source: string, files: string[]): Job[] {
    this.#known ??= JSON.parse(readFileSync(this.#notes, 'utf8')) as Record<string, Known>;
    const counts = this.#countsOf(source);
    const jobs: Job[] = [];
    for (const file of files) {
      const about = this.#known[file];
      if (about === undefined) continue;
      const { names, took, beside, reached } = about;
      const places = reached[id];
      const whole = places === undefined;
      const each = whole ? took : places.map((place) => took[place] ?? 0);
      const takes = beside + each.reduce((sum, one) => sum + one, 0);
      const patience = 5 * (beside + Math.max(0, ...each)) + 5_000;
      jobs.push({ file, takes, patience, ...(!whole && { only: new Set(places.map((place) => names[place] ?? '')) }) });
    }
    jobs.sort((a, b) => (counts.get(b.file) ?? 0) / b.takes - (counts.get(a.file) ?? 0) / a.takes || a.takes - b.takes);
    let total = 0;
    return jobs.filter(({ takes }) => (total += takes) - takes < enough);
  }

  #countsOf(source: string): Map<string, number> {
    const counts = this.#noticed.get(source) ?? new Map<string, number>();
    this.#noticed.set(source, counts);
    return counts;
  }

  get #notes(): string {
    return join(this.#root, '.local', 'mutation-tests.json');
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'in-process', InProcess as never)];
