import { Misuse, readOptions } from '../node/options.ts';

const options = { redirect: { value: 'http://localhost:9000' }, 'no-browser': {} } as const;

/** @throws Misuse */
export function readLogin(args: readonly string[]): { redirectUri: string; opensBrowser: boolean } {
  const { values, words } = readOptions(
    args,
    options,
    (name) =>
      `login has no option --${name}: it takes --redirect and --no-browser. Secrets come from the environment, or it asks for them.`,
  );
  if (words.length > 0) throw new Misuse('login takes no values. It asks for what it needs.');
  return { redirectUri: values.get('redirect')?.[0] ?? options.redirect.value, opensBrowser: !values.has('no-browser') };
}
