/**
 * What n8n shows of the nodes and the credential, made from the core's declarations. The build calls each of these and
 * puts what it gives in its place, so that no start of n8n computes it again: data only, and nothing of n8n's is needed.
 */
import type { LookupName } from '../../shared/define.ts';
import { lookups } from '../../shared/lookups/index.ts';
import { operations } from '../../shared/operations/index.ts';
import { propertiesOf } from './properties.ts';
import { secretPathsOf } from './secrets.ts';

export { credentialTest, oauthDefaults } from './credential.ts';
export { pollingProperties } from './pollingProperties.ts';
export { triggerPanel, triggerProperties } from './triggerProperties.ts';

export const actionProperties = () => propertiesOf(operations);
export const secretPaths = () => secretPathsOf(operations);
/** The lists that can be searched. */
export const lookupNames = () => Object.keys(lookups) as LookupName[];
