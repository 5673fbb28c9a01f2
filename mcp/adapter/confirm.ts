import { inputRequired, inputResponse, type InputRequiredResult } from '@modelcontextprotocol/server';
import { ServiceError } from '../../shared/client/index.ts';
import type { ServiceRecord } from '../../shared/records/index.ts';
import { operationLabel, type Operation } from '../../shared/operations/index.ts';
import type { CallContext } from './call.ts';
import { added } from './tools.ts';

/** The name under which the person's answer comes back. */
const question = 'agreed';

/** What the person said to a permanent operation. */
export type Consent = 'given' | 'to be asked' | 'refused' | 'missing';

/**
 * Whether a person agreed. If the client can ask the person, only their answer counts, and not the arguments of the model. With any other
 * client, there is only the argument. The client vouches for what its person said; this server cannot check it.
 *
 * @param canAsk whether the client can ask its person
 */
export function consentTo(
  { effect }: Operation,
  args: Readonly<Record<string, unknown>>,
  canAsk: boolean,
  { mcpReq }: CallContext,
): Consent {
  if (effect !== 'destructive') return 'given';
  if (!canAsk) return args[added.confirm] === true ? 'given' : 'missing';
  const answer = inputResponse(mcpReq.inputResponses, question);
  if (answer.kind !== 'elicit') return 'to be asked';
  return answer.action === 'accept' ? 'given' : 'refused';
}

/** @param record the record that it is about, if it can be shown */
export const ask = (operation: Operation, record: ServiceRecord): InputRequiredResult =>
  inputRequired({
    inputRequests: {
      [question]: inputRequired.elicit({
        message: `${operationLabel(operation)}: ${operation.description}. Do you agree?\n${linesOf(record)}`,
        requestedSchema: { type: 'object', properties: {} },
      }),
    },
  });

/** A record as a person sees it before they decide. */
const linesOf = (record: ServiceRecord): string =>
  Object.entries(record)
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
    .map(([key, value]) => `${key}: ${visible(JSON.stringify(value)).slice(0, 200)}`)
    .join('\n');

/** Characters that nobody sees could turn the order of the others round. */
const visible = (text: string): string => text.replace(/\p{Cf}/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);

export const notConfirmed = (operation: Operation): ServiceError =>
  new ServiceError('invalid', {
    message: `${operationLabel(operation)} is permanent and was not confirmed, so nothing was changed.`,
    advice: `Ask the person. If they agree, call this again with "${added.confirm}": true.`,
    fields: [{ field: added.confirm, message: 'is required' }],
  });

export const declined = (operation: Operation): ServiceError =>
  new ServiceError('invalid', {
    message: `The person did not agree to ${operationLabel(operation)}: nothing was changed.`,
    advice: 'Ask what they want instead.',
  });
