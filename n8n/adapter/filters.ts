import type { IHookFunctions, IPollFunctions, IWebhookFunctions } from 'n8n-workflow';
import { ServiceError } from '../../shared/client/index.ts';
import { chosenEvents, chosenEventTypes, refusedFilters } from '../../shared/operations/index.ts';
import { brand } from '../../shared/brand.ts';
import { eventRows, isEventName } from '../../shared/events.ts';
import { errorWords, isBlank, isObject, quoteValue } from '../../shared/values.ts';
import { eventTypesField, maximumAge } from './triggerProperties.ts';

type Trigger = Pick<IHookFunctions | IPollFunctions | IWebhookFunctions, 'getNode'> & {
  getNodeParameter(name: string, fallback: unknown): unknown;
};

/** The events that start the workflow. @throws ServiceError `invalid` if an expression yields none, or something that is not an event */
export function eventsOf(trigger: Trigger): string[] {
  const events = chosenEvents(trigger.getNodeParameter('events', null));
  if (events.length === 0)
    throw new ServiceError('invalid', {
      message: '"Events" names no event, so nothing would ever start this workflow.',
      advice: 'Choose at least one event, then publish the workflow again.',
    });
  const wrong = events.find((each) => !isEventName(each));
  if (wrong === undefined) return events;
  throw new ServiceError('invalid', {
    message: `"Events" names ${quoteValue(wrong)}, which is not an event of ${brand.name}.`,
    advice: `Choose from the list, or enter names such as ${eventRows[0]?.name}.`,
  });
}

/**
 * The event types to which a trigger is limited; empty if it is not limited. A filter given by an expression counts as set, whatever its
 * result.
 *
 * @throws ServiceError `invalid` if the filter is set but its value is empty, or if it cannot be evaluated
 */
export function eventTypesOf(trigger: Trigger): string[] {
  const { name, displayName: label } = eventTypesField;
  const written = trigger.getNode().parameters[name];
  const { value, problem } = evaluated(trigger, name);
  if (problem !== undefined)
    throw new ServiceError('invalid', {
      message: `The expression in "${label}" cannot be evaluated (${problem}).`,
      advice: 'Choose from the list, or correct the expression.',
    });
  return chosenEventTypes(value, { isSet: typeof written === 'string' && written.startsWith('='), label });
}

/** A trigger starts before there are any items, so its expressions cannot use one. */
function evaluated(trigger: Trigger, name: string): { value?: unknown; problem?: string } {
  try {
    return { value: trigger.getNodeParameter(name, null) };
  } catch (error) {
    return { problem: errorWords(error) };
  }
}

/** @throws ServiceError `invalid` if the maximum age of deliveries is set but empty: without the error, deliveries would have no limit */
export function checkMaximumAge(trigger: Trigger): void {
  const options = trigger.getNodeParameter('options', {});
  const { name, displayName: label } = maximumAge;
  if (isObject(options) && name in options && isBlank(options[name])) throw refusedFilters([{ key: name, label }]);
}

/**
 * Whether a person waits for the trigger to start, after publishing, changing or testing a workflow. n8n also starts triggers by itself
 * when it starts.
 */
export const isBegunByPerson = (trigger: Pick<IHookFunctions | IPollFunctions, 'getActivationMode'>): boolean =>
  ['activate', 'update', 'manual'].includes(trigger.getActivationMode());
