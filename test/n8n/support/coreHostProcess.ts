/**
 * A process that runs the built action node inside n8n's own execution context, so that parameters, OAuth and errors are n8n's and not
 * imitations. Its parent decides which version of n8n's core it loads, and talks to it over IPC.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { IExecuteFunctions, INode, INodeExecutionData, INodeType, Workflow } from 'n8n-workflow';
import type { Run, ShownError, StoredCredential } from './coreHost.ts';

/** The parts of n8n-core and n8n-workflow that are used. Their versions differ from the project's. */
interface HostCore {
  ExecuteContext: new (...parts: unknown[]) => IExecuteFunctions;
}
interface HostWorkflow {
  Workflow: new (options: object) => Workflow;
  createEmptyRunExecutionData?: () => object;
}
interface Package {
  Scheduler: new () => INodeType;
  SchedulerOAuth2Api: new () => { name: string };
}

const [coreFolder = '', packageFolder = ''] = process.argv.slice(2);
const fromHost = createRequire(join(coreFolder, 'index.js'));
const fromPackage = createRequire(join(packageFolder, 'index.js'));
fromHost('reflect-metadata');
const core = fromHost('n8n-core') as HostCore;
const host = fromHost('n8n-workflow') as HostWorkflow;
const nodeType = new (fromPackage('./dist/nodes/Scheduler/Scheduler.node.js') as Package).Scheduler();
const credentialType = new (fromPackage('./dist/credentials/SchedulerOAuth2Api.credentials.js') as Package).SchedulerOAuth2Api().name;

/** The stored credentials, which n8n keeps in its database. */
const stored = new Map<string, StoredCredential>();

const credentialsHelperOf = (credentialId: string): object => ({
  getParentTypes: () => ['oAuth2Api'],
  isCredentialUsableByNode: () => true,
  getDecrypted: () => Promise.resolve(structuredClone(stored.get(credentialId))),
  runPreAuthentication: () => Promise.resolve(undefined),
  preAuthentication: () => Promise.resolve(undefined),
  updateCredentialsOauthTokenData: (_node: unknown, _type: string, data: StoredCredential) => {
    const before = stored.get(credentialId);
    if (before !== undefined) stored.set(credentialId, { ...before, oauthTokenData: structuredClone(data.oauthTokenData) });
    return Promise.resolve();
  },
});

const nodeTypes = { getByName: () => nodeType, getByNameAndVersion: () => nodeType, getKnownTypes: () => ({}) };

const emptyRun = () =>
  host.createEmptyRunExecutionData?.() ?? {
    startData: {},
    resultData: { runData: {} },
    executionData: { contextData: {}, nodeExecutionStack: [], metadata: {}, waitingExecution: {}, waitingExecutionSource: {} },
  };

function execute(
  credentialId: string,
  { parameters, items, node: settings = {}, executionId = '1', runIndex = 0, timezone = 'Europe/Berlin' }: Run,
): Promise<unknown> {
  const node = {
    id: 'node-1',
    name: 'Scheduler',
    type: 'scheduler',
    typeVersion: 1,
    position: [0, 0],
    parameters,
    credentials: { [credentialType]: { id: credentialId, name: 'Account' } },
    ...settings,
  } as INode;
  const workflow = new host.Workflow({
    id: 'workflow-1',
    nodes: [node],
    connections: {},
    active: false,
    nodeTypes,
    settings: { timezone },
  });
  const input: INodeExecutionData[] = items.map((json, item) => ({ json: json as INodeExecutionData['json'], pairedItem: { item } }));
  const additionalData = {
    credentialsHelper: credentialsHelperOf(credentialId),
    executionId,
    currentNodeParameters: parameters,
    variables: {},
    webhookBaseUrl: '',
    restApiUrl: '',
  };
  const context = new core.ExecuteContext(
    workflow,
    node,
    additionalData,
    'manual',
    emptyRun(),
    runIndex,
    input,
    { main: [input] },
    { node, data: { main: [input] }, source: null },
    [],
  );
  return Promise.resolve(nodeType.execute?.call(context));
}

function shownError(error: unknown): ShownError {
  const { name, message, description, httpCode, context } = error as Error & {
    description?: string;
    httpCode?: string;
    context?: { itemIndex?: number };
  };
  return { name, message, description: description ?? null, httpCode: httpCode ?? null, itemIndex: context?.itemIndex ?? null };
}

const ends = (work: Promise<unknown>) =>
  work.then(
    (output) => ({ output }),
    (error: unknown) => ({ error: shownError(error) }),
  );

interface Asked {
  credentialId: string;
  credential?: StoredCredential;
  runs?: Run[];
}

const answer = async ({ credentialId, credential, runs = [] }: Asked): Promise<unknown> => {
  if (credential !== undefined) stored.set(credentialId, credential);
  return Promise.all(runs.map((run) => ends(execute(credentialId, run))));
};

process.on('message', ({ id, ...asked }: Asked & { id: number }) => {
  void answer(asked).then((result) => process.send?.({ id, result }));
});
process.send?.({ ready: true });
