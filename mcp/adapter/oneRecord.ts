import { ServiceError } from '../../shared/client/index.ts';
import { type ServiceRecord, mainPart, localTimes } from '../../shared/records/index.ts';
import { hasStatus } from '../../shared/reading/index.ts';
import { runOperation, type OneOperation, type OperationOptions, type Operation } from '../../shared/operations/index.ts';
import type { CallingAccount } from './account.ts';
import { type Args, textsOf } from './arguments.ts';
import type { Caller } from './caller.ts';
import { cut } from './texts.ts';
import { idArgument, type Tool } from './tools.ts';

/** No default time zone is passed, because a model does not know it: a start without a zone would be a guess. */
const runOptions = { shape: 'presented' } as const satisfies OperationOptions;

/** Runs an operation. Reading the time zone is part of the work: a caller who leaves while it is being read has not received the record. */
export async function runOne(
  operation: OneOperation,
  fields: Args,
  left: AbortSignal,
  { account }: Caller,
  more?: Parameters<CallingAccount['call']>[2],
): Promise<ServiceRecord> {
  const [record, zone] = await Promise.all([
    account.call(left, (client) => runOperation(client, operation, { fields }, runOptions), more),
    account.hostZone(),
  ]);
  return shownOf(operation, record, zone);
}

/**
 * The current state of a record that an identical call made and that nobody was told about; `undefined` if it is gone, so that it must be
 * made again. If the record has a secret, nobody received it, so the record is deleted instead.
 */
export async function madeBefore(
  operation: Operation,
  id: string,
  fields: Args,
  left: AbortSignal,
  caller: Caller,
): Promise<ServiceRecord | undefined> {
  try {
    if (operation.secret !== undefined) {
      await withId(operation, 'destructive', id, left, caller);
      return undefined;
    }
    const record = await withId(operation, 'read', id, left, caller);
    return record && !hasStatus(record, 'cancelled') ? record : undefined;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.kind === 'notFound') return undefined;
    const made = `${id}, which an identical call made for ${textsOf(fields)}, may or may not exist.`;
    throw error.adding(made);
  }
}

/**
 * The main fields of a presented record, its times in both time zones, and the fields that the operation adds. @param count how many
 * records are shown together
 */
export function shownOf(
  { output, adds = [], secret }: Operation,
  record: ServiceRecord,
  zone: string | undefined,
  count = 1,
): ServiceRecord {
  const whole = {
    ...mainPart(output, record),
    ...localTimes(output, record, zone),
    ...Object.fromEntries(adds.map(({ key }) => [key, record[key]])),
    ...(secret !== undefined && { [secret]: record[secret] }),
  };
  return cut(whole, count);
}

/**
 * The record that an irreversible operation affects, shown to the person before they agree, as the matching read operation returns it. If
 * there is no such operation, or this connection may not read the record, the arguments are used instead.
 *
 * @throws ServiceError `notFound` if there is no such record, or why it cannot be read now
 */
export async function inQuestion({ operation }: Tool, fields: Args, caller: Caller): Promise<ServiceRecord> {
  try {
    return (await withId(operation, 'read', fields[idArgument(operation.resource)], caller.context.mcpReq.signal, caller)) ?? fields;
  } catch (error) {
    if (error instanceof ServiceError && (error.kind === 'scope' || error.kind === 'forbidden')) return fields;
    throw error;
  }
}

/** Reads or deletes one record by its id; `undefined` if no operation does that. */
async function withId(
  { resource }: Operation,
  effect: Operation['effect'],
  id: unknown,
  left: AbortSignal,
  caller: Caller,
): Promise<ServiceRecord | undefined> {
  const key = idArgument(resource);
  const found = caller.operations.find(
    (each) => each.effect === effect && each.yields === 'one' && each.output === resource && Object.hasOwn(each.input, key),
  );
  if (found?.yields !== 'one') return undefined;
  return runOne(found, { [key]: id }, left, caller);
}
