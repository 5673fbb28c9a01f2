import { createHash } from 'node:crypto';
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import type { Client } from '../../shared/api/client.ts';
import { ServiceError } from '../../shared/api/errors.ts';
import { brand } from '../../shared/brand.ts';
import { changeItem, poll, TooLong, type ChangeStore, type Kept, type Poll } from '../../shared/changes/feed.ts';
import { changeKey } from '../../shared/changes/key.ts';
import { pollEvery, Polls } from '../../shared/changes/pace.ts';
import { eventRows, type EventRow } from '../../shared/events.ts';
import { fittingRecords } from '../../shared/testData.ts';
import { checkBaseUrl } from '../../shared/oauth.ts';
import type { Shape } from '../../shared/outputs.ts';
import { inReadingOrder } from '../../shared/readingOrder.ts';
import { isObject } from '../../shared/values.ts';
import { sha256 } from '../../shared/webhooks/key.ts';
import { chosenTexts } from '../../shared/webhooks/filter.ts';
import { nodeError } from './errors.ts';
import { credentialType } from './identity.ts';
import { clientFor, inBackground, whilePublishing } from './service.ts';

/**
 * An execution without items: n8n stores what a poll knows only when it publishes or starts a workflow, or together with what the
 * poll gives. Stock that is taken later would be gone when n8n ends, and with it whatever changed until its next start; and so would
 * a new booking that nobody is told of, and with it that it is moved until then.
 */
const nothing: INodeExecutionData[][] = [[]];

/** The polls of this process. */
const polls = new Polls();
/** The contexts that have polled: n8n makes one when it publishes or starts, polls with it at once, and then at its times. */
const begun = new WeakSet<IPollFunctions>();

/** Where the static data of the node holds what is known. Saved workflows have it. */
const place = 'known';

/** n8n waits for the poll with which it publishes a workflow or starts, and ends publishing after 84 seconds, tries and all. Milliseconds. */
const longestAtFirst = 20_000;

/** Records of each event that "Fetch Test Event" shows. */
const shownOfEach = 1;

interface Settings {
  rows: EventRow[];
  eventTypeIds: string[];
  shape: Shape;
  upcomingAtFirst: boolean;
}

/**
 * One poll: compares the account's lists with what is known, and gives what has changed; null where nothing has, or where it is
 * not time yet; no items where n8n has to store what is known all the same. What is known is put into the node's static data at the moment in which the items are handed over, so n8n
 * stores both or, where it ends before that, neither.
 *
 * "Fetch Test Event" gives recent records and leaves what is known alone.
 */
export async function pollNode(node: IPollFunctions): Promise<INodeExecutionData[][] | null> {
  try {
    const settings = settingsOf(node);
    if (node.getMode() === 'manual') return items(await recent(await clientFor(node, whilePublishing), settings));
    const isFirst = !begun.has(node) && node.getActivationMode() !== 'update';
    begun.add(node);
    const trigger = `${node.getWorkflow().id ?? ''} ${node.getNode().id}`;
    if (!isFirst && isLeftOut(node, trigger)) return null;
    const client = await clientFor(node, isFirst ? whilePublishing : inBackground);
    const { baseUrl } = await node.getCredentials(credentialType);
    const wanted = { ...wantedOf(settings, baseUrl), ...(isFirst && { until: client.clock.now() + longestAtFirst }) };
    const found = await polls.run(
      trigger,
      () => client.clock.now(),
      () => poll(client, storeOf(node), wanted, sha256),
    );
    tell(node, found, isFirst);
    const given = items(found.changes.map((change) => inReadingOrder(changeItem(change, settings.shape))));
    return found.mustKeep && !isFirst ? (given ?? nothing) : given;
  } catch (error) {
    if (error instanceof TooLong) return leaveToTheNext(node);
    throw nodeError(node.getNode(), error);
  }
}

/** A list that is longer than n8n's time between two polls is read once, and one that costs too much for it more seldom. */
function isLeftOut(node: IPollFunctions, trigger: string): boolean {
  const early = polls.early(trigger, Date.now());
  const isLate = polls.isUnderWay(trigger);
  if (early <= 0 && !isLate) return false;
  const why = isLate ? 'the previous one is still running' : `the next is due in ${Math.ceil(early / 1000)} seconds`;
  node.logger.debug(`${node.getNode().name} leaves a poll out: ${why}.`);
  return true;
}

/** Publishing does not wait for long lists. What was known before is known still. */
function leaveToTheNext(node: IPollFunctions): null {
  node.logger.info(
    `${node.getNode().name} has more to read than n8n waits for now. It reads at its next poll time. If that is its first poll, it only records the current state.`,
  );
  return null;
}

const storeOf = (node: IPollFunctions): ChangeStore => {
  const staticData = node.getWorkflowStaticData('node');
  return {
    read: () => staticData[place],
    write: (kept: Kept) => void (staticData[place] = kept as unknown as IDataObject),
  };
};

/** Another service is another place; the address itself has nothing to do in the static data. */
const wantedOf = ({ rows, eventTypeIds, upcomingAtFirst }: Settings, baseUrl: unknown) => ({
  events: rows.map(({ name }) => name),
  eventTypeIds,
  upcomingAtFirst,
  place: createHash('sha256')
    .update(checkBaseUrl(typeof baseUrl === 'string' ? baseUrl : ''))
    .digest('base64url')
    .slice(0, 12),
});

/** What somebody has to know of a poll who looks into n8n's log. */
function tell(node: IPollFunctions, { stock, calls, records }: Poll, isFirst: boolean): void {
  const { name } = node.getNode();
  const every = pollEvery(calls) / 60_000;
  if (stock === 'unreadable')
    node.logger.warn(
      `${name} could not read its saved state and recorded the current state instead. Changes since its last poll are not reported.`,
    );
  if (stock === 'elsewhere')
    node.logger.warn(`${name} sees the records of another account or service and recorded their current state. None of them are reported.`);
  if (stock === 'other form')
    node.logger.warn(
      `${name} sees that most contacts changed at once without being updated, so the service has changed. They are not reported.`,
    );
  if (isFirst && every > 1)
    node.logger.info(
      `${name} reads ${records} records in ${calls} calls. So it polls at most every ${every} minutes, even if its poll times are shorter.`,
    );
}

async function recent(client: Client, { rows, eventTypeIds, shape }: Settings): Promise<IDataObject[]> {
  const found: IDataObject[] = [];
  for (const row of rows) {
    for (const record of await fittingRecords(client, row, { limit: shownOfEach, eventTypeIds }))
      found.push(inReadingOrder(changeItem({ row, record, key: changeKey(row, record) }, shape)) as IDataObject);
  }
  return found;
}

const items = (records: readonly object[]): INodeExecutionData[][] | null =>
  records.length > 0 ? [records.map((json) => ({ json: json as IDataObject }))] : null;

/** @throws ServiceError `invalid` where an expression chooses no event */
function settingsOf(node: IPollFunctions): Settings {
  const events = chosenTexts(node.getNodeParameter('events', []));
  const rows = eventRows.filter(({ name }) => events.includes(name));
  if (rows.length === 0)
    throw new ServiceError('invalid', {
      message: '"Events" names no event, so nothing would ever start this workflow.',
      advice: `Choose at least one event of ${brand.name}, then publish the workflow again.`,
    });
  const options: unknown = node.getNodeParameter('options', {});
  return {
    rows,
    eventTypeIds: chosenTexts(node.getNodeParameter('eventTypes', [])),
    shape: ['false', false].includes(node.getNodeParameter('simplify', true) as string | boolean) ? 'presented' : 'simplified',
    upcomingAtFirst: isObject(options) && options['upcomingAtFirst'] === true,
  };
}
