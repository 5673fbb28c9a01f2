import { inputRequired, inputResponse, type InputRequiredResult } from '@modelcontextprotocol/server';
import { brand } from '../../shared/brand.ts';
import { ServiceError } from '../../shared/client/index.ts';
import type { Operation } from '../../shared/operations/index.ts';
import { wordFor, type ServiceRecord, describeBooking, isOver } from '../../shared/records/index.ts';
import type { CallContext } from './caller.ts';
import { added, idArgument } from './tools.ts';

/** The name under which the person's answer comes back. */
const question = 'agreed';

/** What the person said to a permanent operation. */
export type Consent = 'given' | 'pending' | 'refused' | 'missing';

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
  // Nothing else that may mean yes elsewhere, such as 1.
  if (!canAsk) return /^true$/i.test(String(args[added.confirm])) ? 'given' : 'missing';
  const answer = inputResponse(mcpReq.inputResponses, question);
  if (answer.kind !== 'elicit') return 'pending';
  return answer.action === 'accept' ? 'given' : 'refused';
}

/**
 * @param record the record that it is about, if it can be shown; otherwise what was passed in
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

/** What a person reads before they decide. */
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

/** Characters that nobody sees could turn the order of the others round. */
const visible = (text: string): string => text.replace(/\p{Cf}/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);

/** @param isPast whether it is about something that is over */
export const notConfirmed = (tool: string, isPast: boolean): ServiceError =>
  new ServiceError('invalid', {
    message: `${tool} cannot be undone and was not confirmed, so nothing was changed.${isPast ? ' This booking is already over.' : ''}`,
    advice: `Ask the person. If they agree, call this again with "${added.confirm}": true.`,
    fields: [{ field: added.confirm, message: 'is required' }],
  });

/** Nobody reads and answers a question faster. Milliseconds. */
const fastestAnswer = 1_000;

/**
 * Some hosts say that they can ask, and say no themselves where they have no window. It is a no, but a model must not take it for the
 * person's.
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
