import type { Brand } from '../../../shared/brand.ts';

/** The files that people write and that contain the brand. Sources read it, and everything else is generated. */
export const written = [
  '*.md',
  'LICENSE',
  '.github/{CODEOWNERS,**/*.yml}',
  'docs/{*,{decisions,evidence,guides,provider,templates,use}/*}.{md,json}',
  'docs/reference/*.md',
  'examples/**/*.{md,json,ts}',
  '{hosted,mcp,n8n,sandbox,sdk}/README.md',
  '{hosted,mcp,n8n,sandbox,sdk,zapier}/package.json',
  '{.claude-plugin,hosted,mcp,mcp/.claude-plugin}/{marketplace,plugin,manifest,server}.json',
  'mcp/skill/SKILL.md',
  'n8n/{examples,nodes/*}/*.json',
  '{hosted,zapier}/package-lock.json',
  'test/runtimes/**/*.js',
  'tsconfig.json',
];

/** Names that never occur by chance: of headers (in nginx with underscores), of packages and of n8n's credential type. */
function marksOf({ slug, headerPrefix }: Brand): string[] {
  const headers = ['Signature', 'Timestamp', 'Delivery-ID', 'Event'].map((name) => `${headerPrefix}-${name}`);
  const credentialType = `${slug.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())}OAuth2Api`;
  const lower = headers.map((name) => name.toLowerCase());
  const packages = [`n8n-nodes-${slug}`, ...['mcp', 'mcp-server', 'sandbox', 'zapier'].map((part) => `${slug}-${part}`)];
  return [...headers, ...lower, ...lower.map((name) => name.replaceAll('-', '_')), ...packages, credentialType];
}

/** Defaults for entries that the file may leave out: made-up addresses that belong to nobody. */
export const usually = ({ slug, baseUrl }: Brand) => {
  const { origin, hostname } = new URL(baseUrl);
  return {
    email: `developers@${hostname}`,
    repository: `${origin}/source/${slug}.git`,
    owner: "The scheduling connector's authors",
    privacyUrl: `${origin}/privacy`,
    supportUrl: `${origin}/support`,
    mcpUrl: `https://mcp.${hostname}/mcp`,
  };
};

/** The file's entries, completed with the defaults. The repository's address is in the form for git. */
function complete(brand: Brand): Required<Brand> {
  const { repository, ...whole } = { ...usually(brand), ...brand };
  return { ...whole, repository: repository.replace(/(?:\.git)?$/, '.git') };
}

/** The name of the MCP server in its registry. On GitHub, the publishing pipeline proves that the name is theirs. */
function serverName({ slug, docsUrl, repository }: Required<Brand>): string {
  const [, owner] = /^https:\/\/github\.com\/([^/]+)\//i.exec(repository) ?? [];
  return `${owner === undefined ? new URL(docsUrl).hostname.split('.').reverse().join('.') : `io.github.${owner}`}/${slug}-mcp`;
}

function addressesOf(brand: Brand): string[] {
  const { baseUrl, docsUrl, oauth, email, repository, mcpUrl } = complete(brand);
  const { origin } = new URL(baseUrl);
  return [
    serverName(complete(brand)),
    `${serverName(complete(brand))}-server`,
    docsUrl,
    baseUrl,
    oauth.authorizeUrl ?? `${origin}/oauth/authorize`,
    oauth.tokenUrl ?? `${origin}/api/oauth/token`,
    repository,
    email,
    mcpUrl,
    new URL('/connections', mcpUrl).href,
  ];
}

/** The package for developers is named after the bare slug, which may be an ordinary word. In these uses, it is certainly the package. */
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

/** A pattern for a form that does not match the beginning of a longer word or, for the documentation, of a longer address. */
const whole = (form: string, docsUrl: string): string =>
  form.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`) +
  (/[\p{L}\p{N}]$/u.test(form) ? `(?!-?\\p{L}|\\p{N}${form === docsUrl ? '|/[\\p{L}\\p{N}]' : ''})` : '');

/** A name escaped for Markdown, whatever characters it contains. */
export const inMarkdown = (name: string): string => name.replaceAll(/[\\`*_[\]<>]|&(?=#?\w+;)/g, String.raw`\$&`);

const text = String.raw`"(?:[^"\\]|\\.)*"`;

const inJson = (name: string): string => JSON.stringify(name).slice(1, -1);

/** A name for a manifest, without angle brackets, because tools take what is inside them for an email or a placeholder. */
const inManifest = (name: string): string => inJson(name.replaceAll(/[<>]/g, ''));

/** A JSON text that follows `before`. */
const after = (before: string): RegExp => new RegExp(`(?<=${before})${text}`, 'g');

/** The places of the name, and of what people only read or follow: marked in documents, and under known keys of other programs' files. */
const named: [place: RegExp, as: (brand: Required<Brand>) => string][] = [
  [/(?<=<!--name-->).*?(?=<!--\/name-->)/g, ({ name }) => inMarkdown(name)],
  [after('"(?:author|owner)": \\{\\s+"name": '), ({ name }) => `"${inManifest(name)}"`],
  [after('"display_name": '), ({ name }) => JSON.stringify(name)],
  [after('server\\.schema\\.json",\\s+"name": "\\S+",\\s+"title": '), ({ name }) => JSON.stringify(name.slice(0, 100))],
  [after('OAuth2Api": \\{\\s+"id": "",\\s+"name": '), ({ name }) => JSON.stringify(`${name} account`)],
  // The descriptions that stores show for the packages.
  [
    /(?<="description": "Bookings, [^"]* of ).*?(?= (?:in n8n|for AI agents, over|for custom applications))/g,
    ({ name }) => inManifest(name),
  ],
  [/(?<="description": "A stand-in for ).*?(?= on your machine, for tests)/g, ({ name }) => inManifest(name)],
  // YAML reads a text in JSON's quotation marks unchanged.
  [/(?<=^description: ".* with the tools of ).*(?=\. Use it when)/gm, ({ name }) => inJson(name)],
  [/(?<=^Copyright \(c\) \d{4} ).*/gm, ({ owner }) => owner],
  [after('"privacy_policies": \\[\\s*'), ({ privacyUrl }) => JSON.stringify(privacyUrl)],
  [/(?<=\[privacy policy\]\()https?:[^)]*/g, ({ privacyUrl }) => privacyUrl],
  [after('"(?:support|bugs)": (?:\\{\\s+"url": )?'), ({ supportUrl }) => JSON.stringify(supportUrl)],
];

/**
 * Replaces one brand with another in a text. It never replaces a mere word, because a name may consist of ordinary words. The name is in
 * known places; in documents, these are between `<!--name-->` and `<!--/name-->`, which readers do not see. All other forms are replaced in
 * one pass, so that no replacement is replaced again.
 */
export function rebrand(text: string, from: Brand, to: Brand): string {
  const forms = formsOf(to);
  const replacement = new Map(formsOf(from).map((form, index) => [form, forms[index] ?? form]));
  const longestFirst = [...replacement.keys()].sort((a, b) => b.length - a.length).map((form) => whole(form, from.docsUrl));
  const known = new RegExp(`(?<![\\p{L}\\p{N}])(?:${longestFirst.join('|')})`, 'gu');
  return named.reduce(
    (changed, [place, as]) => changed.replaceAll(place, () => as(complete(to))),
    text.replaceAll(known, (form) => replacement.get(form) ?? form),
  );
}
