import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server';
import { ServiceError, type ClientPorts, type ErrorKind } from '../../shared/client/index.ts';
import { type ServiceRecord, isOver, show } from '../../shared/records/index.ts';
import { doneBefore, isCreate, type ManyOperation, type OneOperation, readListPage } from '../../shared/operations/index.ts';
import { type Args, checkArguments, checkStart, fieldsOf, givenOf, textsOf, withoutNulls } from './arguments.ts';
import type { Caller } from './caller.ts';
import { alreadyBooked, forModel } from './refusals.ts';
import { askConsent, consentTo, declined, notConfirmed } from './askPerson.ts';
import { inQuestion, madeBefore, runOne, shownOf } from './oneRecord.ts';
import { callKey } from './singleFlight.ts';
import { requestedPage, tokenOf } from './pages.ts';
import { asData, besideData, oneText, pageText } from './texts.ts';
import { added, type Tool } from './tools.ts';

type Done = Pick<CallToolResult, 'content' | 'structuredContent'>;

/**
 * Runs one call of a tool. Every failure is returned as the tool's own error, in the core's sentences, so that the model can react to it.
 */
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

/** Kinds of errors that a given time may have caused. */
const refusesValues: readonly ErrorKind[] = ['invalid', 'conflict', 'slotTaken'];

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
  const begin = (left: AbortSignal, onDone?: ClientPorts['onDone']) => runOne(operation, fields, left, caller, { onDone, begunAt });
  const { signal } = context.mcpReq;
  const time = (): string[] => (operation.output === 'user' ? [account.nowText()] : []);
  if (operation.effect === 'read') return oneResult(tool, await begin(signal), fields, caller, time());
  const readAgain = isCreate(operation) ? (id: string, left: AbortSignal) => madeBefore(operation, id, fields, left, caller) : undefined;
  const work = { begin, readAgain, begunAt, secretFor: operation.secret === undefined ? undefined : textsOf(fields) };
  const { record, told } = await account.flights.run(callKey(definition.name, fields), signal, work);
  caller.whenTold(told);
  return oneResult(tool, record, fields, caller);
}

const oneResult = (tool: Tool, shown: ServiceRecord, fields: Args, { tools }: Caller, more: readonly string[] = []): Done =>
  result(tool, [oneText(tool.operation, shown, tools, fields), ...more].join('\n'), shown);

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
    bound: { advice: 'Call this again with the same arguments: it continues from there.', resume: wanted.cursor ? 'any' : 'unfinished' },
  } as const;
  const [{ records, next }, zone] = await Promise.all([
    account.call(context.mcpReq.signal, (client) => readListPage(client, operation, form, { ...wanted, ...told })),
    account.hostZone(),
  ]);
  // An incomplete list has no next page: records that are read later may belong before those shown now.
  const cursor = next && part === undefined ? tokenOf(next, wanted.size, list) : undefined;
  const shown = records.map((record) => shownOf(operation, record, zone, records.length));
  const isAboutTimes = operation.output === 'booking' || operation.output === 'busyTime';
  // The notes on what was not filtered or not read come before the records.
  const text = [
    ...(part === undefined ? [] : [part]),
    ...notes,
    pageText(operation, shown, { cursor, isPart: part !== undefined }, tools),
    ...(isAboutTimes ? [account.nowText()] : []),
  ].join('\n');
  return result(tool, text, { ...(part !== undefined && { incomplete: part }), records: shown, next_cursor: cursor });
}

/** Some hosts show a model only the structured content, so it repeats the text, under a name that no service uses for its own fields. */
function result({ output }: Tool, text: string, answer: ServiceRecord): Done {
  const whole = { about_this_answer: besideData(text), ...answer };
  return { content: [{ type: 'text', text }], structuredContent: output?.fit(whole) ?? whole };
}
