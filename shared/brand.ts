import file from '../brand.json' with { type: 'json' };

/** The one file a maker edits. */
export interface Brand {
  /** The service's name as people read it. */
  name: string;
  /** The same for packages and identifiers. */
  slug: string;
  /** Ends in `/api/v1` (section 1 of the public document). */
  baseUrl: string;
  /** What stands in place of `X-Service` in the delivery headers (section 6). */
  headerPrefix: string;
  /** Where a person reads on. */
  docsUrl: string;
  /** Overrides for addresses that do not follow G25. */
  oauth: { authorizeUrl?: string; tokenUrl?: string; revokeUrl?: string };
}

type Form = (text: string) => boolean;
const isAddress: Form = (text) => URL.canParse(text);

/** What each entry has to be. */
const forms: Readonly<Record<string, Form>> = {
  name: (text) => text.length >= 2,
  slug: (text) => /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(text),
  baseUrl: (text) => isAddress(text) && text.endsWith('/api/v1'),
  headerPrefix: (text) => /^[A-Za-z][A-Za-z0-9-]*[A-Za-z0-9]$/.test(text),
  docsUrl: isAddress,
  'oauth.authorizeUrl': isAddress,
  'oauth.tokenUrl': isAddress,
  'oauth.revokeUrl': isAddress,
};
const needed = ['name', 'slug', 'baseUrl', 'headerPrefix', 'docsUrl', 'oauth'];

/**
 * By hand: to build a schema for the one object that it will ever see took half of the time in which n8n loads the credential.
 *
 * @throws TypeError that names the entries which are missing, unknown or wrong
 */
export function checkBrand(given: Readonly<Record<string, unknown>>): Brand {
  const entries = Object.entries(given).flatMap(([key, value]) =>
    key === 'oauth' && typeof value === 'object' && value !== null
      ? Object.entries(value).map(([inner, text]) => [`oauth.${inner}`, text as unknown] as const)
      : [[key, value] as const],
  );
  const isRight = (form: Form | undefined, value: unknown) => form !== undefined && typeof value === 'string' && form(value);
  const wrong = [
    ...needed.filter((key) => !Object.hasOwn(given, key)),
    ...entries.filter(([key, value]) => !isRight(forms[key], value)).map(([key]) => key),
  ];
  if (wrong.length > 0) throw new TypeError(`brand.json cannot be used: look at ${wrong.map((key) => `"${key}"`).join(', ')}.`);
  return given as unknown as Brand;
}

/** Read and checked when the program starts: a typing mistake ends here and not as a request to a wrong address. */
export const brand: Brand = checkBrand(file);
