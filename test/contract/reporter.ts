/** How jest prints what `npm run try:zapier` and `npm run try:mcp` run: a line for each check when it ends, and a table of all parts. */
import type { Reporter } from '@jest/reporters';
import { table } from '../../tools/start/table.ts';
import { inWords } from './inWords.ts';

type Ended = Parameters<NonNullable<Reporter['onTestCaseResult']>>[1];

interface Tally {
  held: number;
  failed: number;
  seconds: number;
}

/** Matches a requirement's id, with the note after it if the requirement does not apply. */
const requirement = /^([\w.]+:[^: ]+:[^: ]+)(?: does not apply: (.*))?$/;
/** The widths of the columns: what the requirement is about, when, and what has to come of it. */
const widths = [22, 38, 0];

/** A check's title as a line: a requirement in columns, anything else as it is. */
function lineOf(title: string): string {
  const [, id] = requirement.exec(title) ?? [];
  if (id === undefined) return title;
  return inWords(id)
    .map((part, at) => part.padEnd(widths[at] ?? 0))
    .join('');
}

export default class implements Reporter {
  readonly #tallies = new Map<string, Tally>();
  #left = 0;

  onTestCaseResult(_test: unknown, { ancestorTitles: [part = 'everything else'], title, status, duration, failureMessages }: Ended): void {
    const isLeft = status === 'pending' && title.includes('does not apply');
    if (isLeft) this.#left += 1;
    if (status !== 'passed' && status !== 'failed') return;
    const tally = this.#tallies.get(part) ?? { held: 0, failed: 0, seconds: 0 };
    if (!this.#tallies.has(part)) console.log(`\n${part}`);
    this.#tallies.set(part, tally);
    tally[status === 'passed' ? 'held' : 'failed'] += 1;
    tally.seconds += (duration ?? 0) / 1000;
    console.log(`  ${status === 'passed' ? 'ok    ' : 'FAILED'}  ${lineOf(title)}`);
    for (const message of failureMessages) console.log(message.replace(/^/gm, '          '));
  }

  /** A failure before any check begins, such as a failed build, is reported for the whole file. */
  onTestFileResult(_test: unknown, { testExecError, failureMessage }: { testExecError?: unknown; failureMessage?: string | null }): void {
    if (testExecError !== undefined && testExecError !== null) console.log(failureMessage ?? 'A part could not begin.');
  }

  onRunComplete(): void {
    const all = [...this.#tallies];
    const rows = [...all, ['All', sum(all.map(([, tally]) => tally))] as const].map(([name, { held, failed, seconds }]) => [
      name,
      String(held),
      String(failed),
      seconds.toFixed(1),
    ]);
    console.log(`\n${table(['Part', 'Held', 'Failed', 'Seconds'], rows)}`);
    if (this.#left > 0) console.log(`\n${this.#left} requirements do not apply here. test/contract/platforms/ says why.`);
  }
}

const sum = (tallies: readonly Tally[]): Tally =>
  tallies.reduce(
    (all, { held, failed, seconds }) => ({ held: all.held + held, failed: all.failed + failed, seconds: all.seconds + seconds }),
    { held: 0, failed: 0, seconds: 0 },
  );
