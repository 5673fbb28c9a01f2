import type { Brand } from '../../../shared/brand.ts';

/** What people write and what contains the brand. Sources read it, and the rest is generated. */
export const written = [
  '*.md',
  '.github/**/*.yml',
  'docs/{*,{decisions,evidence,guides,provider,templates,use}/*}.{md,json}',
  'docs/reference/{limits,scopes,troubleshooting}.md',
  'examples/**/*.{md,json,ts}',
  '{mcp,n8n,sandbox,sdk}/README.md',
  '{mcp,n8n,sandbox,sdk,zapier}/package.json',
  '{.claude-plugin,mcp,mcp/.claude-plugin}/{marketplace,plugin,manifest,server}.json',
  'mcp/skill/SKILL.md',
  'n8n/{examples,nodes/*}/*.json',
  'zapier/package-lock.json',
  'test/runtimes/**/*.js',
  'tsconfig.json',
];

const packagesOf = (slug: string): string[] => [`n8n-nodes-${slug}`, `${slug}-mcp`, `${slug}-sandbox`, `${slug}-zapier`];

/** The names that nobody writes by chance: of headers (in nginx with underscores), packages and n8n's credential type. */
function marksOf({ slug, headerPrefix }: Brand): string[] {
  const headers = ['Signature', 'Timestamp', 'Delivery-ID', 'Event'].map((name) => `${headerPrefix}-${name}`);
  const credentialType = `${slug.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())}OAuth2Api`;
  const lower = headers.map((name) => name.toLowerCase());
  return [...headers, ...lower, ...lower.map((name) => name.replaceAll('-', '_')), ...packagesOf(slug), credentialType];
}

/** Addresses that exist for nobody, until the service's maker replaces them. */
export function madeUp({ slug, baseUrl }: Brand): { email: string; repositories: string[] } {
  const { origin, host } = new URL(baseUrl);
  return { email: `developers@${host}`, repositories: [...packagesOf(slug), slug].map((name) => `${origin}/source/${name}.git`) };
}

function addressesOf(brand: Brand): string[] {
  const { slug, baseUrl, docsUrl, oauth } = brand;
  const { origin } = new URL(baseUrl);
  const { email, repositories } = madeUp(brand);
  const reversed = new URL(docsUrl).hostname.split('.').reverse().join('.');
  return [
    `${reversed}/${slug}-mcp`,
    docsUrl,
    baseUrl,
    oauth.authorizeUrl ?? `${origin}/oauth/authorize`,
    oauth.tokenUrl ?? `${origin}/api/oauth/token`,
    ...repositories,
    email,
  ];
}

/** The package for developers has the bare slug as its name, which may be an ordinary word. These uses of it are certain. */
const usesOf = (slug: string): string[] => [
  `# ${slug}`,
  `from '${slug}`,
  `npm install ${slug}`,
  `npx ${slug}`,
  `mcp add ${slug}`,
  `.config/${slug}/`,
  `plugin install ${slug}@${slug}`,
  `sdk-package/${slug}`,
  ...['changes', 'node', 'oauth', 'stores', 'testing', 'webhooks'].map((entry) => `\`${slug}/${entry}`),
  `"name": "${slug}"`,
  `"${slug}": "dist/cli.js"`,
  `"${slug}": "^`,
  `"${slug}": { "command"`,
  `"${slug}": ["./sdk/`,
  `"${slug}/*": ["./sdk/`,
];

const formsOf = (brand: Brand): string[] => [...marksOf(brand), ...addressesOf(brand), ...usesOf(brand.slug)];

/** A form as a pattern that does not match the beginning of a longer word or, for the documentation, of a longer address. */
const whole = (form: string, docsUrl: string): string =>
  form.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`) +
  (/[\p{L}\p{N}]$/u.test(form) ? `(?!-?\\p{L}|\\p{N}${form === docsUrl ? '|/[\\p{L}\\p{N}]' : ''})` : '');

/** A name as Markdown shows it, whatever characters it contains. */
export const inMarkdown = (name: string): string => name.replaceAll(/[\\`*_[\]<>]|&(?=#?\w+;)/g, String.raw`\$&`);

const text = String.raw`"(?:[^"\\]|\\.)*"`;

const inJson = (name: string): string => JSON.stringify(name).slice(1, -1);

/** In a manifest: tools take what is in angle brackets for an email or a placeholder. */
const inManifest = (name: string): string => inJson(name.replaceAll(/[<>]/g, ''));

/** Where the name itself stands: marked in documents, and under known keys of what other programs read. */
const named: [place: RegExp, as: (name: string) => string][] = [
  [/(?<=<!--name-->).*?(?=<!--\/name-->)/g, inMarkdown],
  [new RegExp(`(?<="(?:author|owner)": \\{\\s+"name": )${text}`, 'g'), (name) => `"${inManifest(name)}"`],
  [new RegExp(`(?<="display_name": )${text}`, 'g'), (name) => JSON.stringify(name)],
  [new RegExp(`(?<=server\\.schema\\.json",\\s+"name": "\\S+",\\s+"title": )${text}`, 'g'), (name) => JSON.stringify(name.slice(0, 100))],
  [new RegExp(`(?<=OAuth2Api": \\{\\s+"id": "",\\s+"name": )${text}`, 'g'), (name) => JSON.stringify(`${name} account`)],
  // What stores show of the packages.
  [/(?<="description": "Bookings, [^"]* of ).*?(?= (?:in n8n|for AI agents, over|for custom applications))/g, inManifest],
  [/(?<="description": "A stand-in for ).*?(?= on your machine, for tests)/g, inManifest],
  // YAML reads a text in JSON's quotation marks as it is.
  [/(?<=^description: ".* with the tools of ).*(?=\. Use it when)/gm, inJson],
];

/**
 * Replaces one brand with another in a text. It replaces no mere word, because a name may consist of ordinary words: it stands in known
 * places, in a document between `<!--name-->` and `<!--/name-->`, which readers do not see. All other forms are replaced in one pass, so
 * that no replacement is replaced again.
 */
export function rebrand(text: string, from: Brand, to: Brand): string {
  const after = formsOf(to);
  const replacement = new Map(formsOf(from).map((form, index) => [form, after[index] ?? form]));
  const longestFirst = [...replacement.keys()].sort((a, b) => b.length - a.length).map((form) => whole(form, from.docsUrl));
  const forms = new RegExp(`(?<![\\p{L}\\p{N}])(?:${longestFirst.join('|')})`, 'gu');
  return named.reduce(
    (changed, [place, as]) => changed.replaceAll(place, () => as(to.name)),
    text.replaceAll(forms, (form) => replacement.get(form) ?? form),
  );
}
