import * as z from 'zod/v4';
import file from '../brand.json' with { type: 'json' };

/**
 * The one file a maker edits, checked when it is read: a typing mistake in `brand.json` ends here, with the
 * name of the entry, and not as a request to a wrong address.
 *
 * - `name`: the service's name as people read it; `slug`: the same for packages and identifiers;
 * - `baseUrl`: ends in `/api/v1` (section 1 of the public document);
 * - `headerPrefix`: what stands in place of `X-Service` in the delivery headers (section 6);
 * - `docsUrl`: where a person reads on; `oauth`: overrides for addresses that do not follow G25.
 */
const Brand = z.strictObject({
  name: z.string().min(2),
  slug: z.string().regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/),
  baseUrl: z.url().endsWith('/api/v1'),
  headerPrefix: z.string().regex(/^[A-Za-z][A-Za-z0-9-]*[A-Za-z0-9]$/),
  docsUrl: z.url(),
  oauth: z.strictObject({ authorizeUrl: z.url(), tokenUrl: z.url(), revokeUrl: z.url() }).partial(),
});

export type Brand = z.infer<typeof Brand>;

// Compiling a parser for the one object it will ever see would cost every start more than the check.
export const brand: Brand = Brand.parse(file, { jitless: true });
