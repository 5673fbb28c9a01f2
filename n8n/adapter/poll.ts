import { createHash } from 'node:crypto';
import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { type Client, ServiceError, checkBaseUrl } from '../../shared/client/index.ts';
import { brand } from '../../shared/brand.ts';
import { changeItem, changeKey, compareLists, isNewFilter, isPollState, manyAtOnce, type Poll, Polls } from '../../shared/polling/index.ts';
import { eventRows, listedRows, type EventRow } from '../../shared/events.ts';
import { fittingRecords, sha256 } from '../../shared/webhooks/index.ts';
import { checkEventTypes } from '../../shared/operations/index.ts';
import { type OutputShape, inReadingOrder } from '../../shared/records/index.ts';
import { isNo, isObject, isYes } from '../../shared/values.ts';
import { nodeError } from './errors.ts';
import { eventsOf, eventTypesOf, isBegunByPerson } from './filters.ts';
import { itemContent } from './items.ts';
import { laterThan, TriggerMemory, type Kept } from './triggerMemory.ts';
import { baseUrlOf, clientFor, inBackground, whilePublishing } from './connection.ts';

/**
 * An execution without items. n8n stores a poll's state only when it publishes or starts a workflow, or together with items. A state
 * recorded at any other time would be lost when n8n ends, with all changes until its next start. The same applies to a new booking that is
 * not reported: without its state, a later move could not be recognised.
 */
const nothing: INodeExecutionData[][] = [[]];

/** The polls of this process. */
const polls = new Polls();
/**
 * The contexts that have polled. n8n creates one when it publishes or starts the workflow, polls with it at once, and uses it at each poll
 * time.
 */
const begun = new WeakSet<IPollFunctions>();

/** A polling trigger's data in the node's static data. Saved workflows contain it. */
interface PollKept extends Kept {
  /** The state of the last poll. */
  known?: unknown;
}

/** The states of this process's triggers. A state that cannot be read counts as none if this process knows another. */
const memory = new TriggerMemory<PollKept>(({ known, since }) => (isPollState(known) ? String(since) : undefined));

/**
 * Limits the first poll, for which n8n waits when it publishes or starts a workflow. n8n gives up publishing after 84 seconds, including
 * all retries. Milliseconds.
 */
const longestAtFirst = 20_000;

/**
 * How long n8n allows a poll to read, in milliseconds. After 25 % more, n8n's durable scheduler drops what the poll returns. Without that
 * scheduler, n8n reports five minutes but goes on waiting; before 2.41, it reports no limit.
 */
const budgetOf = (node: IPollFunctions): number => ('getPollBudgetMs' in node ? node.getPollBudgetMs() : Infinity);
const afterBudget = 1.25;

const tooLong = (): ServiceError =>
  new ServiceError('server', {
    message: 'This poll took longer than n8n allows, so what it found was not reported.',
    advice: 'The next poll finds the same changes. If this continues, set N8N_SCHEDULER_POLL_TIMEOUT to more seconds.',
  });

/** How many records of each event "Fetch Test Event" shows. */
const shownOfEach = 1;

interface PollSettings {
  rows: EventRow[];
  eventTypeIds: string[];
  shape: OutputShape;
  upcomingAtFirst: boolean;
}

/**
 * One poll: compares the account's lists with the known state and returns the changes. Returns null if there are none or it is too early,
 * and an execution without items if n8n must store the state anyway. The state is put into the node's static data when the items are
 * returned, so that n8n stores both or, if it ends before that, neither.
 *
 * "Fetch Test Event" returns recent records and does not change the state.
 */
export async function pollNode(node: IPollFunctions): Promise<INodeExecutionData[][] | null> {
  try {
    const settings = settingsOf(node);
    if (node.getMode() === 'manual') return items(await recent(await clientFor(node, whilePublishing), settings));
    const isNew = !begun.has(node) && isBegunByPerson(node);
    const isFirst = !begun.has(node) && node.getActivationMode() !== 'update';
    begun.add(node);
    const trigger = `${node.getWorkflow().id ?? ''} ${node.getNode().id}`;
    // Workflows that were not made in an editor can contain a node id twice.
    const place = `${trigger}\n${node.getNode().name}`;
    if (isNew) memory.renamed(`${trigger}\n`, place);
    const handedOut = (): PollKept => node.getWorkflowStaticData('node');
    const counts = (): PollKept => memory.candidates(place, handedOut(), trigger)[0];
    if (!isFirst && isLeftOut(node, place, isStored(handedOut(), counts()))) return null;
    const client = await clientFor(node, isFirst ? whilePublishing : inBackground);
    // With n8n's durable scheduler, every poll has the activation mode `update`.
    const isLookedUp = isNew && (node.getActivationMode() !== 'update' || isNewFilter(counts().known, settings.eventTypeIds));
    if (isLookedUp) await checkEventTypes(client, settings.eventTypeIds);
    const began = client.clock.now();
    const budget = budgetOf(node);
    const wanted = { ...wantedOf(settings, await baseUrlOf(node)), until: began + (isFirst ? Math.min(longestAtFirst, budget) : budget) };
    const found = await polls.run(
      place,
      () => client.clock.now(),
      async () => {
        const data = handedOut();
        const kept = counts();
        const compared = await compareLists(client, kept.known, wanted, sha256);
        if (client.clock.now() - began > budget * afterBudget) throw tooLong();
        tell(node, compared, { data, kept, isKnown: memory.knows(place) });
        if (!compared.isChanged && isStored(data, kept)) memory.used(place, { ...kept });
        else {
          const next = { known: compared.state, of: trigger, since: laterThan(kept) };
          memory.made(place, next);
          Object.assign(data, next);
        }
        return { ...compared, mustSave: compared.mustSave || !isStored(data, kept) };
      },
      trigger,
    );
    const output = items(found.changes.map((change) => inReadingOrder(changeItem(change, settings.shape))));
    return found.mustSave && !isFirst ? (output ?? nothing) : output;
  } catch (error) {
    throw nodeError(node.getNode(), error);
  }
}

/** Whether n8n has stored the state that counts. */
const isStored = (handedOut: PollKept, kept: PollKept): boolean => handedOut === kept && kept.known !== undefined;

/**
 * Whether to skip a poll. A list that takes longer to read than n8n's poll interval is read only once at a time. A list that needs too many
 * requests is read less often. But until n8n has stored the state that counts, no poll is too early: the state would be lost if n8n ended.
 */
function isLeftOut(node: IPollFunctions, place: string, mayWait: boolean): boolean {
  const early = mayWait ? polls.early(place, Date.now()) : 0;
  const isLate = polls.isUnderWay(place);
  if (early <= 0 && !isLate) return false;
  const why = isLate ? 'the previous one is still running' : `the next is due in ${Math.ceil(early / 1000)} seconds`;
  node.logger.debug(`${node.getNode().name} skips a poll: ${why}.`);
  return true;
}

/** The base URL is hashed because the URL itself does not belong in the static data. */
const wantedOf = ({ rows, eventTypeIds, upcomingAtFirst }: PollSettings, baseUrl: string) => ({
  events: rows.map(({ name }) => name),
  eventTypeIds,
  upcomingAtFirst,
  place: createHash('sha256').update(checkBaseUrl(baseUrl)).digest('base64url').slice(0, 12),
});

const baselines = {
  unreadable: 'could not read its saved state and recorded the current state instead. Changes since its last poll are not reported.',
  elsewhere: 'sees the records of another account or service and recorded their current state. None of them are reported.',
  otherForm: 'sees that most records changed at once without being updated, so the service has changed. They are not reported.',
};

/** Logs what a person should know about a poll. @param isKnown whether this process already knew the trigger */
function tell(node: IPollFunctions, found: Poll, { data, kept, isKnown }: { data: PollKept; kept: PollKept; isKnown: boolean }): void {
  const { baseline, goesOn, records, missing, outdated, changes } = found;
  const { name } = node.getNode();
  const isOfOther = data.known !== undefined && kept.known === undefined;
  if (kept.known === undefined)
    // A trigger that is being published has no state yet. At any other time, the state was lost.
    node.logger[node.getActivationMode() === 'activate' && !isOfOther ? 'info' : 'warn'](
      `${name} ${isOfOther ? 'was given the saved state of another trigger' : 'has no saved state'}, so it recorded ${records} records as they are now. What changed before is not reported.`,
    );
  else if (!isStored(data, kept))
    node.logger.info(`${name} was given an outdated saved state or none, and continues from what this process remembers.`);
  else if (!isKnown && changes.length > 0 && kept.since !== undefined)
    node.logger.info(`${name} reports ${changes.length} changes since its saved state of ${new Date(kept.since).toISOString()}.`);
  if (baseline !== undefined && baseline !== 'first') node.logger.warn(`${name} ${baselines[baseline]}`);
  if (missing >= manyAtOnce)
    node.logger.warn(`${name} sees ${missing} fewer records than before. It remembers the missing ones, and reports nothing for them.`);
  if (outdated > 0)
    node.logger.info(`${name} sees ${outdated} records in an older state, probably from a lagging copy. They are not reported.`);
  if (goesOn === true)
    node.logger.info(
      `${name} has recorded ${records} records and has more to read than n8n allows time for. It continues at its next poll time, and then also reports what changed in the meantime.`,
    );
}

async function recent(client: Client, { rows, eventTypeIds, shape }: PollSettings): Promise<object[]> {
  await checkEventTypes(client, eventTypeIds);
  const found: object[] = [];
  for (const row of rows) {
    for (const record of await fittingRecords(client, row, { limit: shownOfEach, eventTypeIds }))
      found.push(inReadingOrder(changeItem({ row, record, key: changeKey(sha256, row, record) }, shape)));
  }
  return found;
}

const items = (records: readonly object[]): INodeExecutionData[][] | null =>
  records.length > 0 ? [records.map((record) => ({ json: itemContent(record) }))] : null;

/** @throws ServiceError `invalid` if an expression yields no event, or a filter is set but empty */
function settingsOf(node: IPollFunctions): PollSettings {
  const events = eventsOf(node);
  const chosen = eventRows.filter(({ name }) => events.includes(name));
  const rows = listedRows(chosen);
  const unlisted = chosen.find(({ shown }) => shown === undefined);
  if (unlisted !== undefined)
    throw new ServiceError('invalid', {
      message: `"Events" names ${unlisted.label}, which ${brand.name}'s lists do not show, so a poll cannot find it.`,
      advice: `Remove it here, and use the ${brand.name} Trigger for it.`,
    });
  const options: unknown = node.getNodeParameter('options', {});
  return {
    rows,
    eventTypeIds: eventTypesOf(node),
    shape: isNo(node.getNodeParameter('simplify', true)) ? 'presented' : 'simplified',
    upcomingAtFirst: isObject(options) && isYes(options['upcomingAtFirst']),
  };
}
