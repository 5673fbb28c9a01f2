import file from '../brand.json' with { type: 'json' };

/** The brand. Its file, brand.json, is the only one that the service's provider has to edit. */
export interface Brand {
  /** The service's name as people read it. */
  name: string;
  /** The service's name in packages and identifiers: lowercase, with hyphens. */
  slug: string;
  /** Ends in `/api/v1` (section 1 of the public document). */
  baseUrl: string;
  /** What replaces `X-Service` in the delivery headers (section 6). */
  headerPrefix: string;
  /** The address of the documentation for people. */
  docsUrl: string;
  /** The author's email in every package, also for reporting vulnerabilities. */
  email?: string;
  /** The address of the public repository, such as `https://github.com/you/connector`. */
  repository?: string;
  /** The copyright holder. */
  owner?: string;
  /** The address of the privacy policy. */
  privacyUrl?: string;
  /** The address where people get help. */
  supportUrl?: string;
  /** The address that people add to their assistants: that of the MCP server for many users, ending in `/mcp`. */
  mcpUrl?: string;
  /** Optional in the file. */
  oauth: {
    /** Overrides for addresses that do not follow G25. */
    authorizeUrl?: string;
    tokenUrl?: string;
    revokeUrl?: string;
    /**
     * The id of an application without a secret, for the MCP server and the command line. With it, `login` asks for nothing. Registered
     * with the redirect address `http://localhost:9000`.
     */
    publicClientId?: string;
  };
}

interface BrandForm {
  takes: (text: string) => boolean;
  /** The rule, as the rest of a sentence that begins with the entry's name. */
  rule: string;
}

const line: BrandForm = {
  takes: (text) => /^\S[^\p{Cc}\p{Zl}\p{Zp}]*\S$/u.test(text),
  rule: 'must be text of at least two letters, on one line',
};
const address: BrandForm = {
  takes: (text) => /^https?:\/\/[^\s"<>]+$/.test(text) && URL.canParse(text),
  rule: 'must be a URL, such as https://example.com/developers',
};

const forms: Readonly<Record<string, BrandForm>> = {
  name: line,
  slug: {
    takes: (text) => /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(text),
    rule: 'must be lower-case letters and digits with single hyphens between them, such as my-service',
  },
  baseUrl: {
    takes: (text) => address.takes(text) && /^https:[^?#@]+\/api\/v1$/.test(text),
    rule: 'must be a URL that ends in /api/v1, such as https://example.com/api/v1',
  },
  headerPrefix: {
    takes: (text) => /^[A-Za-z][A-Za-z0-9-]*[A-Za-z0-9]$/.test(text),
    rule: 'must be letters, digits and hyphens, such as X-Service',
  },
  docsUrl: address,
  email: { takes: (text) => /^[^\s@<>"]+@[^\s@<>"]+$/.test(text), rule: 'must be an email address, such as developers@example.com' },
  repository: {
    takes: (text) => /^https:\/\/[^\s"?#/]+\/[^\s"?#]+$/.test(text) && !text.endsWith('/'),
    rule: 'must be the address of a repository, such as https://github.com/you/connector',
  },
  owner: line,
  privacyUrl: address,
  supportUrl: address,
  mcpUrl: {
    takes: (text) => /^https:\/\/[^\s"/?#]+\/mcp$/.test(text) && URL.canParse(text),
    rule: 'must be a host with /mcp, such as https://mcp.example.com/mcp',
  },
  'oauth.authorizeUrl': address,
  'oauth.tokenUrl': address,
  'oauth.revokeUrl': address,
  'oauth.publicClientId': { takes: (text) => /^[\x21-\x7e]+$/.test(text), rule: 'must be a client id, without spaces' },
};
const needed = ['name', 'slug', 'baseUrl', 'headerPrefix', 'docsUrl'];

/**
 * Checks the brand by hand, because building a schema for this one object took half of the time in which n8n loads the credential.
 *
 * @throws TypeError that names the missing, unknown and wrong entries, and says what each must be
 */
export function checkBrand(values: Readonly<Record<string, unknown>>): Brand {
  const entries = Object.entries(values).flatMap(([key, value]) =>
    key === 'oauth' && typeof value === 'object' && value !== null
      ? Object.entries(value).map(([inner, text]) => [`oauth.${inner}`, text as unknown] as const)
      : [[key, value] as const],
  );
  const complaintOf = (key: string, value: unknown): string | undefined => {
    const form = forms[key];
    if (form === undefined) return key === 'oauth' ? 'must hold addresses and a client id' : 'is not known';
    return typeof value === 'string' && form.takes(value) ? undefined : form.rule;
  };
  const wrong = [
    ...needed.filter((key) => !Object.hasOwn(values, key)).map((key) => `"${key}" is missing`),
    ...entries.flatMap(([key, value]) => {
      const complaint = complaintOf(key, value);
      return complaint === undefined ? [] : [`"${key}" ${complaint}`];
    }),
  ];
  if (wrong.length > 0) throw new TypeError(`brand.json cannot be used: ${wrong.join('; ')}.`);
  return { oauth: {}, ...values } as unknown as Brand;
}

/** Read and checked when the program starts, so that a typing mistake is reported here instead of causing requests to a wrong address. */
export const brand: Brand = checkBrand(file);

/**
 * The id of the application in `brand.json` that the service's provider has registered for programs on people's machines, if there is one.
 * It has no secret, because anyone can read such a program. Another address of the service, such as the sandbox, does not know it.
 */
export function publicClientId(baseUrl: string): string | undefined {
  const isOwn = URL.canParse(baseUrl) && new URL(baseUrl).origin === new URL(brand.baseUrl).origin;
  return isOwn ? brand.oauth.publicClientId : undefined;
}
