import { brand } from '../../shared/brand.ts';

/**
 * The type name of the credential. Credential types share one name space in n8n, so it contains the brand: `my-service` becomes
 * `myServiceOAuth2Api`. Saved workflows contain it.
 */
export const credentialType = `${brand.slug.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())}OAuth2Api`;

/**
 * The trigger's versions, which saved workflows contain. They behave the same. But for version 1, n8n evaluates an expression of its first
 * Webhook node at every delivery, which takes longer than everything that the trigger does.
 */
export const triggerVersions = { all: [1, 2], newest: 2 };
