import { parseArgs, type ParseArgsConfig } from 'node:util';
import { copied } from '../../shared/values.ts';

/** A mistake on the command line. The message says what to type instead. */
export class Misuse extends Error {}

/**
 * Reads the options after a command. Every command line of this project uses it.
 *
 * @throws Misuse that names the option but never its value, which may be a secret
 */
export function readOptions<const Options extends NonNullable<ParseArgsConfig['options']>>(args: readonly string[], options: Options) {
  try {
    const { values, positionals, tokens } = parseArgs({ args: [...args], options, allowPositionals: true, tokens: true });
    const names = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []));
    const twice = names.find((name, at) => names.indexOf(name) < at && options[name]?.multiple !== true);
    if (twice !== undefined) throw new Misuse(`--${twice} was given twice. Give it once.`);
    return { values, positionals };
  } catch (error) {
    throw error instanceof Misuse ? error : new Misuse(misuseOf(error as NodeJS.ErrnoException, args, Object.keys(options)));
  }
}

/** Rewrites Node.js's message about an option for people. */
function misuseOf({ code, message }: NodeJS.ErrnoException, args: readonly string[], known: readonly string[]): string {
  const [, option = ''] = /'(-[^\s',=]*)/.exec(message) ?? [];
  if (code !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    if (message.includes('not take')) return `${option} takes no value.`;
    const isDashed = /^-[^-]/.test(args[args.indexOf(option) + 1] ?? '');
    return `${option} needs a value.${isDashed ? ` If it begins with a dash, join both: ${option}=-...` : ''}`;
  }
  if (/secret|token|password|client-id/.test(option))
    return `${option} does not exist, because others can read secrets on the command line. Set it in the environment; see --help.`;
  return `There is no option ${option}. There is ${known.map((name) => `--${name}`).join(', ')}.`;
}

/** @throws Misuse */
export function portIn(typed: string, option: string): number {
  const port = Number(copied(typed));
  if (!/^\d{1,5}$/.test(copied(typed)) || port > 65_535) throw new Misuse(`--${option} takes a port from 0 to 65535, not "${typed}".`);
  return port;
}

/** An address, without characters that were copied along with it. @throws Misuse */
export function addressIn(typed: string, option: string): string {
  const address = copied(typed);
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) throw new Misuse(`--${option} takes an address with http:// or https://.`);
  return address;
}
