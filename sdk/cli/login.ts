import { parseArgs } from 'node:util';
import { Misuse } from './read.ts';

const options = { redirect: { type: 'string', default: 'http://localhost:9000' }, browser: { type: 'boolean', default: true } } as const;

/** @throws Misuse */
export function readLogin(args: readonly string[]): { redirectUri: string; opensBrowser: boolean } {
  const { values, tokens } = parseArgs({
    args: [...args],
    options,
    strict: false,
    tokens: true,
    allowNegative: true,
    allowPositionals: true,
  });
  for (const token of tokens) {
    if (token.kind === 'positional') throw new Misuse('login takes no values. It asks for what it needs.');
    if (token.kind === 'option' && !Object.hasOwn(options, token.name))
      throw new Misuse(
        `login has no option --${token.name}: it takes --redirect and --no-browser. Secrets come from the environment, or it asks for them.`,
      );
  }
  return { redirectUri: String(values.redirect), opensBrowser: values.browser !== false };
}
