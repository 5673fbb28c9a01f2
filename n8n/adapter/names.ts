import { brand } from '../../shared/brand.ts';
import { operationLabel, type LookupName, type Operation } from '../../shared/operations/index.ts';

/**
 * The type name of the credential. All packages in n8n share one namespace for credential types, so it contains the brand: `my-service`
 * becomes `myServiceOAuth2Api`. Saved workflows contain it.
 */
export const credentialType = `${brand.slug.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())}OAuth2Api`;

/**
 * The parameter name of a documented field, in n8n's spelling: `event_type_id` becomes `eventTypeId`. It is derived, so that there is no
 * table to maintain. Saved workflows contain these names.
 */
export const parameterName = (documented: string): string =>
  documented.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** The method with which a panel loads a list: `searchEventTypes`. */
export const searchMethod = (lookup: LookupName): string => `search${lookup.charAt(0).toUpperCase()}${lookup.slice(1)}`;

/** The method with which a panel loads the event types for a field that takes several. */
export const eventTypesMethod = 'eventTypes';

/** The method that returns the questions of the chosen event type as fields. */
export const questionsMethod = 'questionFields';

/** An operation with its name in n8n, which calls a list *Get Many*. */
export const inN8n = <Named extends Pick<Operation, 'action'>>(operation: Named): Named =>
  operation.action === 'List' ? { ...operation, action: 'Get Many' } : operation;

/** The name of an operation below its resource. If it returns records of another kind, the name includes that kind. */
export const optionName = (operation: Pick<Operation, 'action' | 'output' | 'resource' | 'yields'>): string =>
  operation.output === operation.resource ? inN8n(operation).action : operationLabel(operation);

/**
 * An operation's description in n8n's wording: the core's "Gets a booking" becomes "Retrieve a booking".
 *
 * @param description as the core declares it: its first word is a verb in the third person
 */
export function imperative(description: string): string {
  const [verb = '', ...others] = description.split(' ');
  const plain = verb.replace(/ies$/, 'y').replace(/(?<=ch|sh|ss|x)es$|s$/, '');
  return [verbs[verb] ?? plain, ...others].join(' ');
}

/** Verbs for which n8n's vocabulary has a different one. */
const verbs: Readonly<Record<string, string>> = { Gets: 'Retrieve', Lists: 'Retrieve many' };

/** "Get Many Bookings" becomes "Get many bookings": n8n describes an operation in sentence case. */
export const sentenceCase = (title: string): string => title.charAt(0).toUpperCase() + title.slice(1).toLowerCase();
