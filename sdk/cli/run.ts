import type { ServiceRecord } from '../../shared/records/fields.ts';
import { alreadyField } from '../../shared/operations/alreadyDone.ts';
import { operationLabel } from '../../shared/operations/define.ts';
import { operations, searches } from '../../shared/operations/displayOrder.ts';
import { brand } from '../../shared/brand.ts';
import { showTimes, zoneOf } from '../../shared/records/index.ts';
import type { Client } from '../client/api/methods.ts';
import { clientOf, type NamedClient, placeOf } from '../client/methods.ts';
import type { RecordList } from '../client/options.ts';
import type { TelemetryHooks } from '../client/options.ts';
import { dashed, type Typed } from './commands.ts';
import { asJson, asText, harmless, listText } from './print.ts';
import { Misuse } from '../node/options.ts';
import { askPerson } from '../node/person.ts';
import { accessOf, type Settings } from '../node/settings.ts';
import { ownTime } from '../time.ts';

/** The operations, with each field labelled by its option, so that errors say `--event-type-id is required`. */
const typed = [...operations, ...searches].map((operation) => ({
  ...operation,
  input: Object.fromEntries(Object.entries(operation.input).map(([key, field]) => [key, { ...field, label: `--${dashed(key)}` }])),
}));

/**
 * A client that uses the token from the environment, or otherwise the connection that `login` saved. Its open writes are kept after the
 * program ends.
 */
export function clientFor(settings: Settings, timeZone: string | undefined, say: (text: string) => void): NamedClient {
  // A person is waiting, and the wait may be as long as the rate limit's window.
  const onRetry: TelemetryHooks['onRetry'] = ({ status, waitMs }) => {
    if (status !== 429 || waitMs < 2_000) return;
    say(`${brand.name} accepts no more requests for now. Trying again in ${Math.ceil(waitMs / 1000)} s; Ctrl-C stops this.`);
  };
  const { auth, baseUrl, store } = accessOf(settings);
  let sent = 0;
  const onRequest: TelemetryHooks['onRequest'] = () => {
    sent += 1;
    if (sent % many === 0) say(`${sent.toLocaleString('en')} requests so far; Ctrl-C stops this.`);
  };
  return clientOf(typed, { ...ownTime, store })({ auth, baseUrl, timeZone, onRequest, onRetry });
}

/** After every so many requests, a person who waits for a long list is told how many were made. */
const many = 100;

/** Runs a command and returns the text to print. @throws ServiceError, Misuse */
export async function run(
  { command, input, common }: Typed,
  settings: Settings,
  signal: AbortSignal,
  say: (text: string) => void,
): Promise<string> {
  const { operation } = command;
  const { group, method } = placeOf(operation);
  const call = clientFor(settings, common.timeZone, say)[group]?.[method];
  const shown = async (records: readonly ServiceRecord[]): Promise<ServiceRecord[]> => {
    if (operation.output !== 'booking' || records.length === 0) return [...records];
    // A wait for the rate limit is not reported here, because this request gives up after two seconds.
    const client = clientFor(settings, undefined, () => undefined);
    const zone = common.timeZone ?? (await hostZone(client, signal));
    return zone === undefined ? [...records] : records.map((record) => showTimes(operation.output, record, zone));
  };
  if (call === undefined) throw new Misuse(`There is no ${command.group} ${command.verb}.`);
  if (operation.effect === 'destructive' && !common.yes) await consent(operationLabel(operation), input);
  if (operation.yields === 'many') {
    const list = call(input, { signal, limit: common.limit }) as RecordList<ServiceRecord>;
    const records = await list.all();
    if (list.note !== undefined) say(list.note);
    return common.json ? asJson(records) : listText(operation, (await shown(records)).map(onOneClock));
  }
  if (common.limit !== undefined) throw new Misuse(`${command.group} ${command.verb} returns one record, so it takes no --limit.`);
  const record = await (call(input, { signal }) as Promise<ServiceRecord>);
  const already = alreadyField(operation, record);
  if (already !== undefined) say(`Nothing changed (${already.label.toLowerCase()} before this call).`);
  if (common.json) return asJson(record);
  const [onScreen = record] = await shown([record]);
  return asText(operation, onScreen);
}

/** A permanent action runs only if the person agrees, or with `--yes`. */
async function consent(label: string, input: Readonly<Record<string, unknown>>): Promise<void> {
  if (!process.stdin.isTTY) throw new Misuse(`${label} is permanent. Add --yes to do it.`);
  const about = harmless(Object.values(input).map(String).join(', '));
  const said = await askPerson(`${label} (${about}) is permanent. Continue? [y/N]`);
  if (!/^y(?:es)?$/i.test(said)) throw new Misuse('Nothing was done.');
}

/** In a list, each start is shown in the reader's time zone, instead of in the invitee's zone and language. */
const onOneClock = ({ readable_start: ofInvitee, ...record }: ServiceRecord): ServiceRecord =>
  ofInvitee === undefined ? record : { ...record, readable_start: record['start_time'] ?? ofInvitee };

/** How long a result waits until the host's zone is known. Milliseconds. */
const patienceMs = 2_000;

/**
 * The zone in which the host sees their bookings, or `undefined` if it cannot be read in time. Times are then shown as the service wrote
 * them: the result is ready and must not be lost because of the zone.
 */
export async function hostZone(client: Client, signal: AbortSignal): Promise<string | undefined> {
  const soon = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
  return client.users.current({}, { signal: soon }).then(zoneOf, () => undefined);
}
