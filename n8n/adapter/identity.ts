import { brand } from '../../shared/brand.ts';

/**
 * The type name of the credential. Credential types share one name space in n8n, so it carries the brand:
 * `my-service` becomes `myServiceOAuth2Api`. Saved workflows hold it.
 */
export const credentialType = `${brand.slug.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())}OAuth2Api`;
