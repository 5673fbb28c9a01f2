import type { NodeExecutionHint } from 'n8n-workflow';

/** `cut`: there may be more records than the limit allows. `part`: the result is incomplete. `warning`: must also be read. */
export type HintKind = 'cut' | 'part' | 'warning';

export const cutHint = 'There may be more than the items shown. To get them, raise Limit or turn on Return All.';

/** The hints that n8n shows about a run's output, each sentence only once. */
export class Hints {
  readonly #kinds = new Map<string, HintKind | undefined>();

  add(message: string, kind?: HintKind): void {
    this.#kinds.set(message, kind);
  }

  /**
   * All hints as one, because n8n shows each in its own box; `undefined` if there are none.
   *
   * @param isLimitTold whether n8n shows its own hint that the limit was reached: it does if there are as many items as the limit allows
   */
  asOne(isLimitTold: boolean): NodeExecutionHint | undefined {
    const kinds = [...this.#kinds.values()];
    const isCutTold = isLimitTold || kinds.includes('part');
    const of = (wanted: HintKind | undefined): string[] =>
      [...this.#kinds].flatMap(([message, kind]) => (kind === wanted ? [message] : []));
    const [part, warnings] = [of('part'), of('warning')];
    const message = [...part, ...warnings, ...of(undefined), ...(isCutTold ? [] : of('cut'))].join(' ');
    if (message === '') return undefined;
    return { message, ...(part.length + warnings.length > 0 && { type: 'warning' }), location: 'outputPane' };
  }
}
