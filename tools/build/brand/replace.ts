import type { Brand } from '../../../shared/brand.ts';

/** What of a brand stands in files beside `brand.json`. */
export type Worn = Pick<Brand, 'name' | 'slug' | 'baseUrl' | 'headerPrefix' | 'docsUrl'>;

/** The name of n8n's credential type, which workflows hold. */
const credentialType = (slug: string): string => `${slug.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())}OAuth2Api`;

/** Every form in which a brand stands in a file. What contains another form comes before it. */
const formsOf = ({ name, slug, baseUrl, headerPrefix, docsUrl }: Worn): string[] => {
  const { origin, host } = new URL(baseUrl);
  return [docsUrl, baseUrl, origin, host, headerPrefix, headerPrefix.toLowerCase(), name, slug, credentialType(slug)];
};

/**
 * Brings text from one brand to another, all forms in one pass, so that what was put in is not replaced again.
 *
 * @param quoted whether the text is JSON, in which a name with quotation marks has to be escaped
 */
export function rebrand(text: string, from: Worn, to: Worn, { quoted }: { quoted: boolean }): string {
  const inText = (form: string): string => (quoted ? JSON.stringify(form).slice(1, -1) : form);
  const [before, after] = [formsOf(from).map(inText), formsOf(to).map(inText)];
  const replacement = new Map(before.map((form, index) => [form, after[index] ?? form]));
  const literal = [...new Set(before)].sort((a, b) => b.length - a.length).map((form) => form.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  // Whole words alone: a short slug may well be the beginning of another word.
  const any = new RegExp(`(?<![\\p{L}\\p{N}])(?:${literal.join('|')})(?![\\p{L}\\p{N}])`, 'gu');
  return text.replaceAll(any, (form) => replacement.get(form) ?? form);
}
