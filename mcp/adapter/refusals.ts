import { isGeneralAdvice, ServiceError } from '../../shared/client/index.ts';
import { askingFields, existingBooking, formFields, type Operation } from '../../shared/operations/index.ts';
import type { ServiceRecord } from '../../shared/records/index.ts';
import { noOffset } from '../../shared/time/index.ts';
import type { Caller } from './caller.ts';
import { idArgument, type Tool } from './tools.ts';

/** An operation whose fields are labelled with their argument names, so that errors say `"start_time" is required`. */
export const forArguments = <Each extends Operation>(operation: Each): Each => ({
  ...operation,
  input: Object.fromEntries(Object.entries(operation.input).map(([key, field]) => [key, { ...field, label: key }])),
});

/** A refusal with advice for a model. People choose from lists and know what they want; a model calls tools and asks its person. */
export function forModel(error: ServiceError, operation: Operation, tools: readonly Tool[]): ServiceError {
  const advice = adviceFor(error, operation, tools);
  return advice === undefined ? error : new ServiceError(error.kind, { ...error, message: error.message, advice });
}

function adviceFor({ kind, advice, status, fields }: ServiceError, operation: Operation, tools: readonly Tool[]): string | undefined {
  if (kind === 'slotTaken') return 'Ask the person for another start.';
  const wrong = fields.map(({ field }) => field);
  const sources = sourcesOf(
    Object.keys(operation.input).filter((key) => kind === 'notFound' || wrong.includes(key)),
    tools,
  );
  if (kind === 'notFound') return sources === '' ? undefined : `It may be deleted, or in another account. ${sources}`;
  if (kind !== 'invalid' || !isGeneralAdvice(advice)) return undefined;
  const answers = askingFields(operation.input)?.answers;
  if (status === undefined && wrong.some((field) => field.split('.').length > 1))
    return `Ask the person, and pass the answers in ${answers}.`;
  if (fields.some(({ message }) => message.startsWith(noOffset))) {
    const zone = formFields(operation.input).find(({ control }) => control === 'timeZone')?.key;
    const local = zone === undefined ? '' : `, or pass ${zone} if the time is the invitee's`;
    return `Add the offset of the intended time zone${local}. If you do not know it, ask the person.`;
  }
  const ask = operation.effect === 'read' ? '' : ' Ask the person for what they have not said.';
  return sources === '' ? `Correct ${fields.length > 1 ? 'them' : 'it'} and call this again.${ask}` : sources;
}

/** A sentence for each of these arguments on the tool that lists its ids; empty if there is none. */
const sourcesOf = (keys: readonly string[], tools: readonly Tool[]): string =>
  keys
    .flatMap((key) => {
      const list = tools.find(
        ({ operation: { yields, output, input } }) =>
          yields === 'many' && idArgument(output) === key && formFields(input).every(({ required }) => !required),
      );
      return list === undefined ? [] : [`Take ${key} from ${list.definition.name}.`];
    })
    .join(' ');

/** The booking that the invitee already has in a taken slot: the host may have lost the response to the call that made it. */
export async function alreadyBooked(
  error: ServiceError,
  args: Readonly<Record<string, unknown>>,
  { account, context }: Caller,
): Promise<ServiceRecord | undefined> {
  // Services use different codes for a taken slot, so a conflict counts, too.
  if (error.kind !== 'slotTaken' && error.kind !== 'conflict') return undefined;
  try {
    return await account.call(context.mcpReq.signal, (client) => existingBooking(client, args));
  } catch (failure) {
    if (failure instanceof ServiceError) return undefined;
    throw failure;
  }
}
