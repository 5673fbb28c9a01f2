import { inputRequired, inputResponse, type InputRequiredResult } from '@modelcontextprotocol/server';
import { brand } from '../../shared/brand.ts';
import { ServiceError } from '../../shared/client/index.ts';
import type { Operation } from '../../shared/operations/index.ts';
import { wordFor, type ServiceRecord, describeBooking, isOver } from '../../shared/records/index.ts';
import type { CallContext } from './caller.ts';
import { added, idArgument } from './tools.ts';

/** The name of the question, under which the person's answer comes back. */
const question = 'agreed';

/** The state of the person's consent to an irreversible operation. */
export type Consent = 'given' | 'pending' | 'refused' | 'missing';

/**
 * Whether a person agreed. If the client can ask the person, only their answer counts, not the model's arguments. With other clients, only
 * the argument exists. The client vouches for the person's answer; this server cannot check it.
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
  // Other values that may mean yes, such as 1, do not count.
  if (!canAsk) return /^true$/i.test(String(args[added.confirm])) ? 'given' : 'missing';
  const answer = inputResponse(mcpReq.inputResponses, question);
  if (answer.kind !== 'elicit') return 'pending';
  return answer.action === 'accept' ? 'given' : 'refused';
}

/**
 * Asks the person whether to do an irreversible operation.
 *
 * @param record the affected record, if it can be read; otherwise the arguments
 * @param given the arguments of the call
 * @param now milliseconds since the epoch
 */
export const askConsent = (operation: Operation, record: ServiceRecord, given: ServiceRecord, now: number): InputRequiredResult =>
  inputRequired({
    inputRequests: {
      [question]: inputRequired.elicit({
        message: questionOf(operation, record, given, now),
        requestedSchema: { type: 'object', properties: {} },
      }),
    },
    requestState: String(now),
  });

/** The question that a person reads before deciding. */
function questionOf({ action, description, resource }: Operation, record: ServiceRecord, given: ServiceRecord, now: number): string {
  const key = idArgument(resource);
  const about = describeBooking(record);
  const others = Object.entries(given).filter(([name]) => name !== key);
  const lines = [
    `${action} the ${wordFor(resource)} ${about ?? shortened(given[key])}?`,
    ...others.map(([name, value]) => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}: ${shortened(value)}`),
    ...(isOver(record, now) ? ['It is already over.'] : []),
    `${about === undefined ? `${description}. ` : ''}This cannot be undone.`,
  ];
  return visible(lines.join('\n'));
}

const shortened = (value: unknown): string => JSON.stringify(value)?.slice(0, 200) ?? '';

/** Invisible characters could reverse the order of the visible ones, so they are shown as codes. */
const visible = (text: string): string => text.replace(/\p{Cf}/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);

/** @param isPast whether the affected booking is over */
export const notConfirmed = (tool: string, isPast: boolean): ServiceError =>
  new ServiceError('invalid', {
    message: `${tool} cannot be undone and was not confirmed, so nothing was changed.${isPast ? ' This booking is already over.' : ''}`,
    advice: `Ask the person. If they agree, call this again with "${added.confirm}": true.`,
    fields: [{ field: added.confirm, message: 'is required' }],
  });

/** Nobody reads and answers a question faster than this. Milliseconds. */
const fastestAnswer = 1_000;

/**
 * The error after a refusal. Some hosts claim that they can ask, but refuse by themselves if they have no window. That counts as a refusal,
 * but the model must not take it for the person's.
 *
 * @param now milliseconds since the epoch
 */
export function declined({ mcpReq }: CallContext, now: number): ServiceError {
  const wasShown = !(now - Number(mcpReq.requestState()) < fastestAnswer);
  return new ServiceError('invalid', {
    message: `The person did not agree: nothing was changed.${wasShown ? '' : ' The answer came immediately, so they may not have seen the question.'}`,
    advice: wasShown
      ? 'Ask what they want instead.'
      : `Ask them. If they want it, they can do it in ${brand.name} itself, or in a client that shows such questions.`,
  });
}
