import type { Brand } from '../../../shared/brand.ts';

/** The parts of a brand that appear in files other than `brand.json`. */
export type Worn = Pick<Brand, 'name' | 'slug' | 'baseUrl' | 'headerPrefix' | 'docsUrl'>;

/** The name of n8n's credential type, which workflows contain. */
const credentialType = (slug: string): string => `${slug.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())}OAuth2Api`;

/** Every form in which a brand appears in a file. A form that contains another comes before it. */
const formsOf = ({ name, slug, baseUrl, headerPrefix, docsUrl }: Worn): string[] => {
  const { origin, host } = new URL(baseUrl);
  return [docsUrl, baseUrl, origin, host, headerPrefix, headerPrefix.toLowerCase(), name, slug, credentialType(slug)];
};

/**
 * Replaces one brand with another in a text. All forms are replaced in one pass, so that no replacement is replaced again.
 *
 * @param quoted whether the text is JSON, where quotation marks in a name must be escaped
 */
export function rebrand(text: string, from: Worn, to: Worn, { quoted }: { quoted: boolean }): string {
  const inText = (form: string): string => (quoted ? JSON.stringify(form).slice(1, -1) : form);
  const [before, after] = [formsOf(from).map(inText), formsOf(to).map(inText)];
  const replacement = new Map(before.map((form, index) => [form, after[index] ?? form]));
  const literal = [...new Set(before)].sort((a, b) => b.length - a.length).map((form) => form.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  // Only whole words, because a short slug may be the beginning of another word.
  const any = new RegExp(`(?<![\\p{L}\\p{N}])(?:${literal.join('|')})(?![\\p{L}\\p{N}])`, 'gu');
  return text.replaceAll(any, (form) => replacement.get(form) ?? form);
}
