import assumptions from '../../shared/assumptions.json' with { type: 'json' };
import { settledBy, settledText, type Came, type Settled } from './settled.ts';

export type Gap = keyof typeof assumptions;

/** What was seen of an assumption, the worst first, and what the report says about it. */
const meaning = {
  differs: 'Differs: fits none of the known forms. Correct the entry in shared/assumptions.ts',
  'also read': 'Another known form, which is also read. Make it the assumed one when the maker confirms it',
  'as assumed': 'As assumed',
  'not seen': 'Not seen. Each entry says how to check it',
};
export type GapVerdict = keyof typeof meaning;
const worstFirst = Object.keys(meaning) as GapVerdict[];

export interface Finding {
  gap: Gap;
  verdict: GapVerdict;
  seen: string[];
}

/** What a probe has seen, and what it could not remove. */
export interface Report {
  findings: Finding[];
  left: string[];
  /** The answers that the core could read. */
  came: readonly Came[];
}

/** Collects what a probe sees. The worst observation about a gap is its verdict. */
export class Findings {
  /** The answers that the core could read. */
  readonly came: Came[] = [];
  readonly #seen = new Map<Gap, { verdict: GapVerdict; words: string }[]>();

  note(gap: Gap, verdict: Exclude<GapVerdict, 'not seen'>, words: string): void {
    const known = this.#seen.get(gap) ?? [];
    if (!known.some((each) => each.verdict === verdict && each.words === words)) known.push({ verdict, words });
    this.#seen.set(gap, known);
  }

  differs(gap: Gap, words: string): void {
    this.note(gap, 'differs', words);
  }

  alsoRead(gap: Gap, words: string): void {
    this.note(gap, 'also read', words);
  }

  /** Notes what was seen: as assumed, or otherwise. @param otherwise the words if it is not as assumed; the same by default */
  judge(gap: Gap, isAssumed: boolean, words: string, otherwise = words, verdict: 'also read' | 'differs' = 'also read'): void {
    this.note(gap, isAssumed ? 'as assumed' : verdict, isAssumed ? words : otherwise);
  }

  /** The same where anything else differs: no other form is read. */
  must(gap: Gap, isAssumed: boolean, words: string, otherwise = words): void {
    this.judge(gap, isAssumed, words, otherwise, 'differs');
  }

  /** One for each gap, in order. A gap that was not checked says how to check it. */
  all(): Finding[] {
    return (Object.keys(assumptions) as Gap[]).map((gap) => {
      const known = this.#seen.get(gap);
      if (known === undefined) return { gap, verdict: 'not seen', seen: [`To check it: ${assumptions[gap].settle}`] };
      const verdict = worstFirst.find((each) => known.some((one) => one.verdict === each)) ?? 'not seen';
      const several = new Set(known.map((each) => each.verdict)).size > 1;
      return { gap, verdict, seen: known.map((each) => (several ? `${each.words} (${each.verdict})` : each.words)) };
    });
  }
}

/**
 * The forms that the service has, of the gaps in which nothing differs. Those of bookings only if a delivery came as well: many services
 * name their parts otherwise there.
 */
export function settledIn({ findings, came }: Report): Settled {
  const differing = new Set<string>(findings.filter(({ verdict }) => verdict === 'differs').map(({ gap }) => assumptions[gap].number));
  const isWhole = came.some(({ what }) => what === 'delivery');
  const isSeen = (fact: string): boolean => isWhole || !/^(?:booking|person|pair)\./.test(fact);
  return Object.fromEntries(
    Object.entries(settledBy(came))
      .filter(([gap]) => !differing.has(gap))
      .map(([gap, facts]) => [gap, Object.fromEntries(Object.entries(facts).filter(([fact]) => isSeen(fact)))]),
  );
}

export function reportText({ findings, left }: Report, settled: Settled): string {
  const sections = worstFirst.flatMap((verdict) => {
    const those = findings.filter((finding) => finding.verdict === verdict);
    return those.length === 0 ? [] : [`${meaning[verdict]} (${those.length} of ${findings.length})\n${those.map(line).join('\n')}`];
  });
  if (Object.keys(settled).length > 0)
    sections.push(`Where your service has each fact that it showed. \`npm run settle\` deletes the other forms\n${settledText(settled)}`);
  if (left.length > 0) sections.push(`Could not be removed. Remove by hand: ${left.join(', ')}.`);
  return sections.join('\n\n');
}

const line = ({ gap, seen }: Finding): string =>
  `  ${assumptions[gap].number.padEnd(4)} ${assumptions[gap].gap}\n${seen.map((each) => `         ${each}`).join('\n')}`;
