/**
 * What n8n shows of the nodes and the credential, made from the core's declarations. The build calls each function and saves the result, so
 * that n8n does not compute it at each start. The results are plain data and need nothing from n8n.
 */
import { type LookupName, lookups, operations } from '../../shared/operations/index.ts';
import { actionHintOf } from './builderHints.ts';
import { propertiesOf } from './properties.ts';

export { pollingHint, triggerHint } from './builderHints.ts';
export { credentialTest, oauthDefaults } from './credential.ts';
export { pollingProperties, triggerPanel, triggerProperties } from './triggerProperties.ts';

export const actionHint = () => actionHintOf(operations);
export const actionProperties = () => propertiesOf(operations);
/** Output fields that n8n hides wherever it shows or stores executions. */
export const secretPaths = () => [...new Set(operations.flatMap(({ secret }) => secret ?? []))];
/** The lists that can be searched. */
export const lookupNames = () => Object.keys(lookups) as LookupName[];
