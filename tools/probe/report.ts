import assumptions from '../../shared/assumptions.json' with { type: 'json' };
import { type Gap, type Reply, type Said, shapeOf } from './asking.ts';
import { factOf, gapOf, settledBy, settledText, type Came, type Settled } from './settled.ts';

/** The possible verdicts on an assumption, the worst first, and what the report says for each. */
const meaning = {
  differs:
    'Differs: fits none of the known forms. If the service failed or refused it (403, 500), fix that and probe again. Otherwise correct the entry in shared/assumptions.ts',
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

/** What a probe found, and what it could not remove. */
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

  /** @param reply whose request, status and keys are shown if no words are given */
  say([gap, isAssumed, given, otherwise = given, verdict = 'also read']: Said, reply?: Reply): void {
    const words =
      (isAssumed ? given : otherwise) ?? (reply && `${reply.request} was answered with ${reply.status} and ${shapeOf(reply.body)}`) ?? '';
    const said = { verdict: isAssumed ? ('as assumed' as const) : verdict, words };
    const known = this.#seen.get(gap) ?? [];
    if (!known.some((each) => each.verdict === said.verdict && each.words === said.words)) known.push(said);
    this.#seen.set(gap, known);
  }

  /** One finding for each gap, in order. If a gap was not checked, it says how to check it. */
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
 * The service's forms for the gaps in which nothing differs. Those of bookings need a delivery as well, because many services use other
 * names there.
 */
export function settledIn({ findings, came }: Report): Settled {
  const differing = new Set<string>(findings.filter(({ verdict }) => verdict === 'differs').map(({ gap }) => assumptions[gap].number));
  const isWhole = came.some(({ what }) => what === 'delivery');
  const isSeen = (fact: string): boolean => isWhole || !/^(?:booking|person|pair)\./.test(fact);
  return Object.fromEntries(Object.entries(settledBy(came)).filter(([name]) => !differing.has(gapOf(name)) && isSeen(factOf(name))));
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
