import { faultsIn } from './rules.ts';
import { readTexts } from './texts.ts';

/**
 * Checks all texts that people read.
 *
 * @param root the project's folder
 * @throws an error that names each place the rules do not allow, with what to write instead
 */
export async function checkWords(root: string): Promise<void> {
  const texts = await readTexts(root);
  const lines = texts.flatMap(({ file, text }) =>
    faultsIn(text).map(
      ({ at, found, instead }) => `${file}:${text.slice(0, at).split('\n').length} "${found.replaceAll(/\s+/g, ' ')}": ${instead}`,
    ),
  );
  if (lines.length > 0)
    throw new Error(`${lines.join('\n')}\nThe style page is in CONTRIBUTING.md, the words are in tools/check/words/rules.ts.`);
}
