import { brand } from '../../brand.ts';

interface Listed {
  readonly id: string;
}

/** Whether a record can be chosen. In a list, one whose id cannot be used has an empty one (G3). */
export const hasId = ({ id }: Listed): boolean => id !== '';

/**
 * What to say below a list of choices that is not complete; `undefined` if nothing is missing.
 *
 * @param cut the sentence for a list that was not read to its end; false if it was
 * @param records all that were read
 */
export function notes(cut: string | false, records: readonly Listed[]): string | undefined {
  const unusable = !records.every(hasId) && `Some cannot be chosen, because ${brand.name} shows no usable id for them.`;
  return [cut, unusable].filter((sentence) => sentence !== false).join(' ') || undefined;
}
