import { DateTime } from 'luxon';
import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import { operations } from '../../../shared/operations/index.ts';
import type { ServiceRecord } from '../../../shared/records/fields.ts';
import { toolName } from '../../../mcp/adapter/tools.ts';
import type { Operation } from '../../../shared/operations/define.ts';
import { mainPart } from '../../../shared/records/outputs.ts';
import { call, Stage, textOf } from '../../mcp/stage.ts';
import { formFields } from '../../../shared/operations/form.ts';
import { hearsNothing, Refused, type Connection, type Platform } from '../platform.ts';

/** A booking's times in its invitee's and host's zones, computed independently of the core by another library. */
function zonedTimes(record: ServiceRecord, hostZone: string): ServiceRecord {
  const at = (key: 'start_time' | 'end_time', zone: unknown) => DateTime.fromISO(String(record[key]), { zone: String(zone) });
  const on = (key: 'start_time' | 'end_time', zone: unknown) => at(key, zone).toISO({ suppressMilliseconds: true });
  return {
    host_timezone: hostZone,
    host_weekday: at('start_time', hostZone).weekdayLong,
    host_start_time: on('start_time', hostZone),
    host_end_time: on('end_time', hostZone),
    invitee_start_time: on('start_time', record['invitee_timezone']),
    invitee_end_time: on('end_time', record['invitee_timezone']),
  };
}

/** The core's sentence in a refusal for a model, without the marks around other people's words, the arguments concerned and the time. */
const sentenceIn = (answer: CallToolResult): string =>
  textOf(answer)
    .replace(/<data [^>]*>\n([^]*?)\n<\/data>\n[^\n]*\n/, '$1 ')
    .replace(/(?:\nArguments: [^\n]*)?(?:\nIt is now [^\n]*)?$/, '')
    .replaceAll(/\\u003c/g, '<')
    .replaceAll(/\\u003e/g, '>');

async function asked(client: Client, name: string, given: Record<string, unknown>): Promise<ServiceRecord> {
  const answer = await call(client, name, given);
  if (answer.isError === true) throw new Refused(sentenceIn(answer));
  const { about_this_answer: _words, ...record } = (answer.structuredContent ?? {}) as ServiceRecord;
  return record;
}

export const connectionOf = (client: Client, close: () => Promise<void>): Connection => ({
  async runOperation(operation, { fields, answers }) {
    const answersKey = formFields(operation.input).find(({ control }) => control === 'answers')?.key;
    const given = { ...fields, ...(answers !== undefined && answersKey !== undefined && { [answersKey]: answers }) };
    const name = toolName(operation);
    if (operation.yields === 'one') {
      const isAgreed = operation.effect === 'destructive' && { confirm: true };
      return [await asked(client, name, { ...given, ...isAgreed })];
    }
    const all: ServiceRecord[] = [];
    for (let cursor: unknown; ; ) {
      const page = await asked(client, name, { ...given, limit: 50, ...(cursor !== undefined && { cursor }) });
      all.push(...(page['records'] as ServiceRecord[]));
      cursor = page['next_cursor'];
      if (cursor === undefined) return all;
    }
  },
  async firstLine(operation, { fields }) {
    return textOf(await call(client, toolName(operation), { ...fields })).split('\n')[0];
  },
  listen: hearsNothing,
  close,
});

/** The sentence for models in place of the one for people: models know arguments, not labels; they call tools and ask their person. */
function forModel(operation: Operation, sentence: string): string {
  const named = formFields(operation.input).reduce((text, { key, label }) => text.replaceAll(`"${label}"`, `"${key}"`), sentence);
  const source = 'Take booking_id from list_bookings.';
  const correct = named.includes('"booking_id" ') ? source : 'Correct it and call this again. Ask the person for what they have not said.';
  return named
    .replace(/Check its ID, or choose it again\.$/, source)
    .replace(/Answer it and run this again\.$/, 'Ask the person, and pass the answers in question_responses.')
    .replace(/Correct it and (?:run this|try) again\.$/, correct);
}

/** The MCP server, through the client of the protocol's own SDK. */
export const mcp: Platform = {
  name: 'the MCP server',
  lacks: {
    everyService: 'the core reads what services differ in, and the package meets each of them',
    answerFields: 'answers are given by key, for this one booking',
    deliveries: 'a server of MCP is asked, and hears of nothing',
    pollsAtOnce: 'a server of MCP is asked, and looks for nothing by itself',
    whole: 'a model is given the main fields: it pays for every letter',
    simplified: 'nothing is chosen: a model is always given the main fields',
    zone: "nobody knows the zone of a model's person",
    refusesEmpty: 'models write an empty text for what they do not want, so it is left out and told',
    numbers: 'the schema of a tool refuses what is no text, in words of its own',
    refusedToken: 'it adds the command that connects the account again',
  },
  offers: (operation) => operations.includes(operation),
  /** The main fields, anything that the operation adds, and a booking's times in both zones. */
  shown({ output, adds = [], secret }, record, { account }) {
    const added = [...adds.map(({ key }) => key), ...(secret === undefined ? [] : [secret])].filter((key) => key in record);
    return {
      ...mainPart(output, record),
      ...Object.fromEntries(added.map((key) => [key, record[key]])),
      ...(output === 'booking' && zonedTimes(record, account.timezone)),
    };
  },
  says: forModel,
  install: () =>
    Promise.resolve({
      async connect(sandbox) {
        const stage = await Stage.on(sandbox);
        return connectionOf(await stage.served(), () => stage.close());
      },
    }),
};
