import { assumptions } from '../../shared/assumptions.ts';
import type { Finding, Verdict } from './findings.ts';
import type { Report } from './probe.ts';

const order: readonly Verdict[] = ['differs', 'also read', 'as assumed', 'not seen'];

const meaning: Record<Verdict, string> = {
  differs: 'Differs: fits none of the known forms. Correct the entry in shared/assumptions.ts',
  'also read': 'Another known form, which is also read. Make it the assumed one when the maker confirms it',
  'as assumed': 'As assumed',
  'not seen': 'Not seen. Each entry says how to check it',
};

/** The findings as they are printed, the worst first. */
export function reportText({ findings, left }: Report): string {
  const sections = order.flatMap((verdict) => {
    const those = findings.filter((finding) => finding.verdict === verdict);
    return those.length === 0 ? [] : [`${meaning[verdict]} (${those.length} of ${findings.length})\n${those.map(line).join('\n')}`];
  });
  if (left.length > 0) sections.push(`Could not be removed. Remove by hand: ${left.join(', ')}.`);
  return sections.join('\n\n');
}

const line = ({ gap, seen }: Finding): string =>
  `  ${assumptions[gap].number.padEnd(4)} ${assumptions[gap].gap}\n${seen.map((each) => `         ${each}`).join('\n')}`;
