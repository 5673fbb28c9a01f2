import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { choiceKey } from '../../n8n/adapter/answers.ts';
import type { Sandbox } from '../../sandbox/service.ts';
import { inZone } from '../../shared/time/index.ts';
import { builtPackage } from '../build/products.ts';
import { connectToSandbox, installPackage, listCredentials, N8nSession, type Owner } from '../rigs/n8n/session.ts';
import { nodeTypes, startN8n, type StartOptions } from '../rigs/n8n/instance.ts';
import { installN8n, n8nVersion } from '../rigs/n8n/install.ts';
import { chain, createWorkflow, getWorkflow, listWorkflows, publish, saveWorkflow, unpublish } from '../rigs/n8n/workflows.ts';
import type { WorkflowFile } from '../rigs/n8n/workflows.ts';
import { root } from '../root.cjs';
import { recall, remember } from './dataFolder.ts';
import type { OpenedParts } from '../process/opened.ts';
import type { StartChoices } from './options.ts';
import type { Progress } from './progress.ts';

type N8nCredentials = Record<string, { id: string; name: string }>;

/** n8n after `npm start`: connected, with one workflow that books and one that listens. */
export type N8nSide = Awaited<ReturnType<typeof openN8nSide>>;

/** Starts as much of n8n as is needed to install a community package, in one or several processes, and registers how to stop it. */
export type StartHost = (
  given: Required<Pick<StartOptions, 'folder' | 'port' | 'unpublished' | 'installation' | 'extra' | 'editor' | 'lean'>>,
  opened: OpenedParts,
) => Promise<{
  origin: string;
  /** Starts the rest, once the package is installed. */
  scaleOut?: () => Promise<void>;
}>;

/** What a start runs: the main job on n8n in one process, or on a larger setup. */
export interface StartPlan {
  options: StartChoices;
  startHost: StartHost;
}

/** What all sides of a start need. */
export interface Starting extends StartPlan {
  sandbox: Sandbox;
  progress: Progress;
  opened: OpenedParts;
}

export const oneProcess: StartHost = (given, opened) => opened.start('n8n', (signal) => startN8n({ ...given, signal }));

export async function openN8nSide(starting: Starting) {
  const { options, startHost, sandbox, progress, opened } = starting;
  const [installation, unpublished] = await Promise.all([
    progress.step(`installing n8n ${n8nVersion}`, installN8n),
    progress.step('building the n8n package', () => builtPackage('n8n')),
  ]);
  const memory = await recall(options.folder);
  // With --once, nobody opens the editor, and a new n8n needs only what our two workflows need.
  const editor = !options.once;
  const lean = options.once && !existsSync(join(options.folder, 'n8n'));
  const n8n = await progress.step('starting n8n', () =>
    startHost(
      {
        folder: join(options.folder, 'n8n'),
        port: options.ports.n8n,
        unpublished,
        installation,
        // Workflows without their own time zone use the host's, as in an n8n that the host has set up.
        extra: { GENERIC_TIMEZONE: sandbox.account.timezone },
        editor,
        lean,
      },
      opened,
    ),
  );
  const owner: Owner = { email: 'owner@example.com', password: memory.password, firstName: 'Olive', lastName: 'Owner' };
  const session = await N8nSession.open(n8n.origin, owner);

  const packageHash = hash('sha256', await readFile(unpublished.tarball));
  if (packageHash !== memory.packageHash)
    await progress.step(`installing ${unpublished.name} ${unpublished.version} in n8n`, () => installPackage(session, unpublished.name));
  if (n8n.scaleOut) await progress.step('starting two webhook processors and three workers', n8n.scaleOut);
  const hasMoved = memory.n8nOrigin !== n8n.origin || memory.baseUrl !== sandbox.baseUrl;
  const side = await setUpWorkflows(session, starting, nodeTypes(unpublished.name), hasMoved);
  await remember(options.folder, { ...memory, packageHash, n8nOrigin: n8n.origin, baseUrl: sandbox.baseUrl });
  return { session, owner, ...side };
}

/** @param hasMoved whether the address of n8n or the service has changed since the last start, so that they no longer find each other */
async function setUpWorkflows(
  session: N8nSession,
  { sandbox, progress }: Starting,
  types: ReturnType<typeof nodeTypes>,
  hasMoved: boolean,
) {
  const [existing] = await listCredentials(session);
  const isConnected = existing !== undefined && !hasMoved;
  const credential = isConnected
    ? existing
    : await progress.step("connecting n8n's credential through the service's consent page", () =>
        connectToSandbox(session, sandbox, existing),
      );
  const credentials = { [credential.type]: { id: credential.id, name: credential.name } };
  return progress.step('importing two workflows and publishing the one that listens', async () => {
    const bookingFile = bookAMeeting(types.action, credentials, sandbox);
    const listeningFile = await listening(types.trigger, credentials);
    const there = await listWorkflows(session);
    const imported = (file: WorkflowFile) => there.find(({ name }) => name === file.name) ?? createWorkflow(session, file);
    const [booking, live] = await Promise.all([imported(bookingFile), imported(listeningFile)]);
    if (live.active && hasMoved) await unpublish(session, live.id);
    if (!live.active || hasMoved) await publish(session, live.id);
    return {
      /** Books when run by hand: from the trigger `from`, with the node `node`. */
      booking: { id: booking.id, name: booking.name, ...bookingNodes },
      /** Starts on every event, with the trigger `node`. */
      listening: { id: live.id, name: live.name, node: listeningFile.nodes.find(({ type }) => type === types.trigger)?.name ?? '' },
    };
  });
}

/** The package's example that starts on every event, with this n8n's credential. */
async function listening(trigger: string, credentials: N8nCredentials): Promise<WorkflowFile> {
  const file = JSON.parse(await readFile(join(root, 'n8n', 'examples', 'on-events.json'), 'utf8')) as WorkflowFile;
  return { ...file, nodes: file.nodes.map((node) => (node.type === trigger ? { ...node, credentials } : node)) };
}

const bookingNodes = { from: 'Execute workflow', node: 'Create booking' } as const;

/** Answers to the questions of the service that `npm start` runs, by type. Questions of other types stay open. */
const answered: Record<string, unknown> = { text: 'Analytical Engines Ltd', number: 3, boolean: true };

/**
 * A workflow that books, set up as a person does in the panel: an event type from the list, a date, and answers in the fields of its
 * questions. It uses the event type with the most questions.
 */
export function bookAMeeting(type: string, credentials: N8nCredentials, sandbox: Sandbox): WorkflowFile {
  const eventType = asking(sandbox);
  const answers = eventType.questions.flatMap(({ key, type: kind, options = [] }) =>
    kind === 'multiselect'
      ? options.map((option, index) => [choiceKey(key, option), index === 0])
      : [[key, (kind === 'select' ? options[0] : answered[kind]) ?? null]],
  );
  const parameters = {
    eventTypeId: {
      __rl: true,
      mode: 'list',
      value: eventType.id,
      cachedResultName: `${eventType.name} (${eventType.duration_minutes} min)`,
    },
    startTime: nextStart(sandbox),
    inviteeName: 'Ada Lovelace',
    inviteeEmail: 'ada@example.com',
    questionResponses: { mappingMode: 'defineBelow', value: Object.fromEntries(answers) as object, matchingColumns: [], schema: [] },
    additionalFields: { notes: 'Booked by a workflow' },
  };
  const nodes = [
    { name: bookingNodes.from, type: 'n8n-nodes-base.manualTrigger', parameters: {} },
    { name: bookingNodes.node, type, credentials, parameters },
  ];
  return { ...chain('Make a booking', nodes), settings: { executionOrder: 'v1' } };
}

/** The event type with the most questions that can be booked without approval. */
function asking(sandbox: Sandbox) {
  const [first, ...others] = sandbox.eventTypes().filter(({ active, requires_approval }) => active && !requires_approval);
  if (first === undefined) throw new Error('The service has no event type that can be booked without approval.');
  return others.reduce((most, each) => (each.questions.length > most.questions.length ? each : most), first);
}

/** The next free start in the workflow's time zone, in the format of n8n's date picker. */
const nextStart = (sandbox: Sandbox): string =>
  inZone(sandbox.host.nextFree(asking(sandbox).duration_minutes), sandbox.account.timezone)?.slice(0, 19) ?? '';

/** Enters the next free start into the workflow that books, so that it can be run. Everything else in it stays as the person left it. */
export async function enterNextStart({ session, booking }: Pick<N8nSide, 'session' | 'booking'>, sandbox: Sandbox): Promise<void> {
  const { nodes } = await getWorkflow(session, booking.id);
  const entered = nodes.map((node) =>
    node.name === booking.node ? { ...node, parameters: { ...node.parameters, startTime: nextStart(sandbox) } } : node,
  );
  await saveWorkflow(session, booking.id, { nodes: entered });
}
