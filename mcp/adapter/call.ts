import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server';
import { ServiceError, type ClientPorts, type ErrorKind } from '../../shared/client/index.ts';
import { type ServiceRecord, mainPart, localTimes, isOver, show } from '../../shared/records/index.ts';
import { hasStatus } from '../../shared/reading/index.ts';
import {
  doneBefore,
  isCreate,
  runOperation,
  type OperationOptions,
  type ManyOperation,
  type OneOperation,
  type Operation,
  readListPage,
} from '../../shared/operations/index.ts';
import { instantsBetween } from '../../shared/time/index.ts';
import { asText, isBlank, onlyOne } from '../../shared/values.ts';
import type { Caller } from './caller.ts';
import { alreadyBooked, forModel } from './refusals.ts';
import { askConsent, consentTo, declined, notConfirmed } from './askPerson.ts';
import { callKey } from './singleFlight.ts';
import { requestedPage, tokenOf } from './pages.ts';
import { asData, besideData, cut, oneText, pageText } from './texts.ts';
import { added, idArgument, type Tool } from './tools.ts';

/** More than anyone enters in a form. Characters. */
const maxGiven = 100_000;

type Args = Readonly<Record<string, unknown>>;
type Done = Pick<CallToolResult, 'content' | 'structuredContent'>;

/** No platform time zone is passed in: a model does not know it, and a start without a zone would be a guess. */
const runOptions = { shape: 'presented' } as const satisfies OperationOptions;

/** Some hosts write null as a word of their language, or as a list of it. In a required argument it may be a name. */
function withoutNulls({ definition: { inputSchema } }: Tool, given: Args): Args {
  const isNull = (key: string, value: unknown): boolean =>
    /^(?:null|None|undefined)$/.test(asText(onlyOne(value))) && inputSchema.required?.includes(key) !== true;
  return Object.fromEntries(Object.entries(given).map(([key, value]) => [key, isNull(key, value) ? null : value]));
}

/** Runs one call of a tool. Every failure is reported as the tool's own error, in the core's words, so that the model can react to it. */
export async function callTool(tool: Tool, given: Args, caller: Caller): Promise<CallToolResult | InputRequiredResult> {
  const args = withoutNulls(tool, given);
  try {
    checkArguments(tool, args, caller);
    checkStart(tool.operation, args, caller.account.now());
    const { operation } = tool;
    return await (operation.yields === 'many' ? page(tool, operation, args, caller) : one(tool, operation, args, caller));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const isAboutTime =
      refusesValues.includes(error.kind) && Object.keys(args).some((key) => tool.operation.input[key]?.control === 'dateTime');
    const existing = await alreadyBooked(error, args, caller);
    const texts = [
      caller.explain(forModel(error, tool.operation, caller.tools)),
      ...(existing === undefined
        ? []
        : [
            `This invitee already has that booking; make another only if the person wants two:\n${asData(shownOf(tool.operation, show('booking', existing, 'presented'), await caller.account.hostZone()))}`,
          ]),
      ...(isAboutTime ? [caller.account.nowText()] : []),
    ];
    return { isError: true, content: texts.map((text) => ({ type: 'text', text })) };
  }
}

/** Refusals for which a time that was passed in may be the reason. */
const refusesValues: readonly ErrorKind[] = ['invalid', 'conflict', 'slotTaken'];

/** Arguments that hosts add to those of the model: by their first word, they are about its call, its session, or what began or orders it. */
const isOfHost = (key: string): boolean => /^(?:_|action$|(?:tool|session|chat|task|wait[_-]?for)(?:[_-]|[A-Z]))/.test(key);

/** A form ignores unknown arguments, but a model must be told that they were not used. Where there are none, hosts write a filler. */
function checkArguments({ definition }: Tool, args: Args, { unread }: Caller): void {
  if (lengthOf(args) > maxGiven) {
    throw new ServiceError('invalid', {
      message: `The arguments are longer than ${maxGiven} characters: nothing was sent.`,
      advice: 'Shorten them and call this again.',
    });
  }
  const known = Object.keys(definition.inputSchema.properties);
  const others = Object.keys(args).filter((key) => !known.includes(key));
  const isUnread = (key: string): boolean => known.length === 0 || isOfHost(key);
  unread(others.filter(isUnread));
  const unknown = others.filter((key) => !isUnread(key)).map((key) => key.slice(0, 80));
  if (unknown.length === 0) return;
  throw new ServiceError('invalid', {
    message: `${definition.name} has no argument ${unknown.map((key) => `"${key}"`).join(', ')}.`,
    advice: `It takes ${known.join(', ')}.`,
  });
}

/** How far two clocks may differ. Milliseconds. */
const clocksDiffer = 15 * 60_000;

/** A model often takes the year or the day from its training: a start that has passed in every time zone is not asked for. */
function checkStart({ effect, input }: Operation, args: Args, now: number): void {
  if (effect === 'read') return;
  const passed = Object.keys(input).find((key) => input[key]?.control === 'dateTime' && instantsBetween(args[key])[1] < now - clocksDiffer);
  if (passed === undefined) return;
  throw new ServiceError('invalid', {
    message: `The ${passed} ${String(args[passed])} has passed: nothing was sent.`,
    advice: 'Ask for a time in the future.',
  });
}

/** The length of the arguments. Arguments that are nested too deeply to be converted to text count as infinitely long. */
function lengthOf(args: Args): number {
  try {
    return JSON.stringify(args).length;
  } catch {
    return Infinity;
  }
}

/** The arguments that belong to the form. */
const givenOf = (operation: Operation, args: Args): Record<string, unknown> =>
  Object.fromEntries(Object.entries(args).filter(([key]) => Object.hasOwn(operation.input, key)));

/** The arguments without empty ones: models write an empty text, or null, for what they do not want. */
const fieldsOf = (operation: Operation, args: Args): Record<string, unknown> =>
  Object.fromEntries(Object.entries(givenOf(operation, args)).filter(([, value]) => !isBlank(value)));

async function one(tool: Tool, operation: OneOperation, args: Args, caller: Caller): Promise<CallToolResult | InputRequiredResult> {
  const { definition } = tool;
  const { account, context, begunAt } = caller;
  const fields = fieldsOf(operation, args);
  const consent = consentTo(operation, args, caller.canAsk, context);
  if (consent === 'refused') throw declined(context, account.now());
  if (consent !== 'given') {
    const record = await inQuestion(tool, fields, caller);
    const done = doneBefore(operation, record);
    if (done !== undefined) return oneResult(tool, done, fields, caller);
    if (consent === 'pending') return askConsent(operation, record, fields, account.now());
    const text = [caller.explain(notConfirmed(definition.name, isOver(record, account.now()))), asData(record)].join('\n');
    return { isError: true, content: [{ type: 'text', text }] };
  }
  // The time zone belongs to the work: a caller who leaves while it is being read has not received the record.
  const begin = async (left: AbortSignal, onDone?: ClientPorts['onDone']): Promise<ServiceRecord> => {
    const [record, zone] = await Promise.all([
      account.call(left, (client) => runOperation(client, operation, { fields }, runOptions), { onDone, begunAt }),
      account.hostZone(),
    ]);
    return shownOf(operation, record, zone);
  };
  const { signal } = context.mcpReq;
  const time = (): string[] => (operation.output === 'user' ? [account.nowText()] : []);
  if (operation.effect === 'read') return oneResult(tool, await begin(signal), fields, caller, time());
  const readAgain = isCreate(operation) ? (id: string, left: AbortSignal) => madeBefore(operation, id, fields, left, caller) : undefined;
  const work = { begin, readAgain, begunAt, secretFor: operation.secret === undefined ? undefined : textsOf(fields) };
  const { record, told } = await account.flights.run(callKey(definition.name, fields), signal, work);
  caller.whenTold(told);
  return oneResult(tool, record, fields, caller);
}

/** What was given as text. */
const textsOf = (fields: Args): string =>
  Object.values(fields)
    .filter((value) => typeof value === 'string')
    .join(', ');

/** Whether its records are about a time that a person asks for. */
const hasTimes = ({ output }: Operation): boolean => output === 'booking' || output === 'busyTime';

const oneResult = (tool: Tool, shown: ServiceRecord, fields: Args, { tools }: Caller, more: readonly string[] = []): Done =>
  result(tool, [oneText(tool.operation, shown, tools, fields), ...more].join('\n'), shown);

/**
 * What an identical call made that nobody was told, as it is now; `undefined` if it is gone, so that it must be made again. A secret that
 * nobody received is told to nobody: its record is deleted.
 */
async function madeBefore(
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

async function page(tool: Tool, operation: ManyOperation, args: Args, caller: Caller): Promise<Done> {
  const { definition } = tool;
  const { account, tools, context } = caller;
  const fields = fieldsOf(operation, args);
  const form = { fields: givenOf(operation, args), mayBeEmpty: Object.keys(args) };
  const list = [account.owner, definition.name, fields] as const;
  const wanted = requestedPage(args[added.cursor], args[added.limit], list);
  const notes = new Set<string>();
  let part: string | undefined;
  const told = {
    note: (text: string) => notes.add(text),
    partNote: (text: string) => (part = text),
    bound: { advice: 'Call this again with the same arguments: it reads on from there.', resume: wanted.cursor ? 'any' : 'unfinished' },
  } as const;
  const [{ records, next }, zone] = await Promise.all([
    account.call(context.mcpReq.signal, (client) => readListPage(client, operation, form, { ...wanted, ...told })),
    account.hostZone(),
  ]);
  // What is read later may belong before what is shown now.
  const cursor = next && part === undefined ? tokenOf(next, wanted.size, list) : undefined;
  const shown = records.map((record) => shownOf(operation, record, zone, records.length));
  const now = hasTimes(operation) ? [account.nowText()] : [];
  // What was not filtered, or not read, comes before what was found.
  const text = [
    ...(part === undefined ? [] : [part]),
    ...notes,
    pageText(operation, shown, { cursor, isPart: part !== undefined }, tools),
    ...now,
  ].join('\n');
  return result(tool, text, { ...(part !== undefined && { incomplete: part }), records: shown, next_cursor: cursor });
}

/** The main fields of a presented record, its times in both time zones, and the fields that the operation adds. @param count how many are shown with it */
function shownOf({ output, adds = [], secret }: Operation, record: ServiceRecord, zone: string | undefined, count = 1): ServiceRecord {
  const whole = {
    ...mainPart(output, record),
    ...localTimes(output, record, zone),
    ...Object.fromEntries(adds.map(({ key }) => [key, record[key]])),
    ...(secret !== undefined && { [secret]: record[secret] }),
  };
  return cut(whole, count);
}

/**
 * The record that a permanent operation is about, so that the person sees it before they agree: as the matching read operation shows it. If
 * there is none, or this connection may not read it, what was passed in must do.
 *
 * @throws ServiceError `notFound` if there is no such record, or why it cannot be read now
 */
async function inQuestion({ operation }: Tool, fields: Args, caller: Caller): Promise<ServiceRecord> {
  try {
    return (await withId(operation, 'read', fields[idArgument(operation.resource)], caller.context.mcpReq.signal, caller)) ?? fields;
  } catch (error) {
    if (error instanceof ServiceError && (error.kind === 'scope' || error.kind === 'forbidden')) return fields;
    throw error;
  }
}

/** Reads or deletes one record by its id, with the operation for it; `undefined` if there is no such operation. */
async function withId(
  { resource }: Operation,
  effect: Operation['effect'],
  id: unknown,
  left: AbortSignal,
  { account, operations }: Caller,
): Promise<ServiceRecord | undefined> {
  const key = idArgument(resource);
  const found = operations.find(
    (each) => each.effect === effect && each.yields === 'one' && each.output === resource && Object.hasOwn(each.input, key),
  );
  if (found?.yields !== 'one') return undefined;
  const [record, zone] = await Promise.all([
    account.call(left, (client) => runOperation(client, found, { fields: { [key]: id } }, runOptions)),
    account.hostZone(),
  ]);
  return shownOf(found, record, zone);
}

/** Some hosts show a model only the structured answer, so it has the same words, under a name that no service gives to its own. */
function result({ output }: Tool, text: string, answer: ServiceRecord): Done {
  const whole = { about_this_answer: besideData(text), ...answer };
  return { content: [{ type: 'text', text }], structuredContent: output?.fit(whole) ?? whole };
}
