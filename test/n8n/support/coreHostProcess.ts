/**
 * A process that runs the built action node inside n8n's own execution context, so that parameters, OAuth and errors are n8n's and not
 * imitations. Its parent decides which version of n8n's core it loads, and talks to it over IPC.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { IDataObject, IExecuteFunctions, INode, INodeExecutionData, INodeType, INodeTypes, Workflow } from 'n8n-workflow';
import type { End, Run } from './coreHost.ts';

const [coreFolder = '', packageFolder = ''] = process.argv.slice(2);

/** The stored credentials, which n8n keeps in its database. */
const stored = new Map<string, IDataObject>();
const credentialOf = (id: string): IDataObject => {
  const found = stored.get(id);
  if (found === undefined) throw new Error(`There is no credential ${id}.`);
  return found;
};

const fromHost = createRequire(join(coreFolder, 'index.js'));
const fromOurs = createRequire(join(packageFolder, 'index.js'));
fromHost('reflect-metadata');
const { ExecuteContext } = fromHost('n8n-core') as { ExecuteContext: new (...parts: unknown[]) => IExecuteFunctions };
const workflow = fromHost('n8n-workflow') as { Workflow: new (options: object) => Workflow; createEmptyRunExecutionData?: () => object };
const { Scheduler } = fromOurs('./dist/nodes/Scheduler/Scheduler.node.js') as { Scheduler: new () => INodeType };
const { SchedulerOAuth2Api } = fromOurs('./dist/credentials/SchedulerOAuth2Api.credentials.js') as {
  SchedulerOAuth2Api: new () => { name: string };
};
const credentialType = new SchedulerOAuth2Api().name;
const action = new Scheduler();
const nodeTypes: INodeTypes = { getByName: () => action, getByNameAndVersion: () => action, getKnownTypes: () => ({}) };

/** Of n8n's database of credentials, what its contexts use. */
const credentialsHelper = {
  getParentTypes: () => ['oAuth2Api'],
  isCredentialUsableByNode: () => true,
  getCredentialsProperties: () => [],
  getDecrypted: (_: unknown, { id }: { id: string }) => Promise.resolve(structuredClone(credentialOf(id))),
  updateCredentialsOauthTokenData({ id }: { id: string }, _: string, { oauthTokenData }: IDataObject) {
    credentialOf(id)['oauthTokenData'] = structuredClone(oauthTokenData);
    return Promise.resolve();
  },
  runPreAuthentication: () => Promise.resolve(undefined),
  preAuthentication: () => Promise.resolve(undefined),
};

/** An execution that has not begun, for an n8n that has no function for it. */
const emptyRun = {
  startData: {},
  resultData: { runData: {} },
  executionData: { contextData: {}, nodeExecutionStack: [], metadata: {}, waitingExecution: {}, waitingExecutionSource: {} },
};

function contextOf({ credential, parameters, items = [{}], timezone = 'Europe/Berlin' }: Run): IExecuteFunctions {
  const node: INode = {
    id: 'node-1',
    name: 'Node',
    type: `n8n-nodes-base.${action.description.name}`,
    typeVersion: 1,
    position: [0, 0],
    parameters: parameters as INode['parameters'],
    credentials: { [credentialType]: { id: credential.id, name: 'Account' } },
  };
  const settings = { timezone };
  const around = new workflow.Workflow({ id: '1', nodes: [node], connections: {}, active: true, nodeTypes, settings, staticData: {} });
  const additionalData = {
    credentialsHelper,
    executionId: '1',
    currentNodeParameters: parameters,
    variables: {},
    webhookBaseUrl: 'http://127.0.0.1:5678/webhook',
    restApiUrl: '',
    webhookTestBaseUrl: '',
  };
  const input = items.map((json, item): INodeExecutionData => ({ json: json as IDataObject, pairedItem: { item } }));
  const data = { main: [input] };
  const empty = workflow.createEmptyRunExecutionData?.() ?? emptyRun;
  return new ExecuteContext(around, node, additionalData, 'trigger', empty, 0, input, data, { node, data, source: null }, []);
}

async function execute(run: Run): Promise<End> {
  try {
    return { output: (await action.execute?.call(contextOf(run))) as End['output'] & object };
  } catch (error) {
    const { message, description } = error as Error & { description?: string };
    return { error: { message, description: description ?? null } };
  }
}

process.on('message', (runs: Run[]) => {
  for (const { credential } of runs) if (!stored.has(credential.id)) stored.set(credential.id, structuredClone(credential.data));
  void Promise.all(runs.map(execute)).then((ends) => process.send?.(ends));
});
process.send?.([]);
