import { createRequire } from 'node:module';
import { join } from 'node:path';
import type {
  IDataObject,
  IExecuteFunctions,
  IHookFunctions,
  INode,
  INodeExecutionData,
  INodeType,
  INodeTypes,
  IVersionedNodeType,
  Workflow,
} from 'n8n-workflow';

/** The parts of n8n's own packages that are used. They are loaded from n8n's installation. */
interface Packages {
  core: {
    ExecuteContext: new (...parts: unknown[]) => IExecuteFunctions;
    HookContext: new (...parts: unknown[]) => IHookFunctions;
  };
  workflow: { Workflow: new (options: object) => Workflow; createEmptyRunExecutionData?: () => object };
}

/** A stored OAuth credential, as n8n passes it to its helper. */
export interface StoredCredential extends IDataObject {
  baseUrl: string;
}

/** One run of a node, as far as it differs from the usual one. */
export interface Running {
  /** The id of its credential. */
  account?: string;
  node?: Partial<INode>;
  executionId?: string;
  runIndex?: number;
  timezone?: string;
}

/** An execution that has not begun, for an n8n that has no function for it. */
const emptyRun = {
  startData: {},
  resultData: { runData: {} },
  executionData: { contextData: {}, nodeExecutionStack: [], metadata: {}, waitingExecution: {}, waitingExecutionSource: {} },
};

/** n8n's own contexts for nodes, without its editor and database. */
export interface N8nCore {
  action: INodeType;
  trigger: INodeType;
  credentialType: string;
  /**
   * A node from n8n's own collection.
   * @param path below `dist/nodes`, without its extension
   */
  builtIn(path: string, version?: number): INodeType;
  /** The context of one run of a node. */
  executing(type: INodeType, parameters: IDataObject, items?: IDataObject[], run?: Running): IExecuteFunctions;
  /** The context in which a trigger is activated and deactivated. `webhookId` is part of its address. */
  hooking(type: INodeType, parameters: IDataObject, kept: { webhookId: string; staticData: IDataObject }): IHookFunctions;
}

/**
 * @param installation contains `node_modules` with n8n
 * @param ours our package, unpacked as it is installed
 * @param credentialOf the stored credential with this id, whose tokens n8n may replace
 */
export function loadCore(installation: string, ours: string, credentialOf: (id: string) => StoredCredential): N8nCore {
  const fromHost = createRequire(join(installation, 'index.js'));
  const fromOurs = createRequire(join(ours, 'index.js'));
  fromHost('reflect-metadata');
  const { core, workflow }: Packages = {
    core: fromHost('n8n-core') as Packages['core'],
    workflow: fromHost('n8n-workflow') as Packages['workflow'],
  };

  const { Scheduler } = fromOurs('./dist/nodes/Scheduler/Scheduler.node.js') as { Scheduler: new () => INodeType };
  const { SchedulerTrigger } = fromOurs('./dist/nodes/SchedulerTrigger/SchedulerTrigger.node.js') as {
    SchedulerTrigger: new () => INodeType;
  };
  const { SchedulerOAuth2Api } = fromOurs('./dist/credentials/SchedulerOAuth2Api.credentials.js') as {
    SchedulerOAuth2Api: new () => { name: string };
  };
  const credentialType = new SchedulerOAuth2Api().name;

  const credentialsHelper = credentialsHelperOf(credentialOf);

  const setting = (
    type: INodeType,
    parameters: IDataObject,
    { account = 'credential-1', node: own, executionId = '1', timezone = 'Europe/Berlin' }: Running,
  ) => {
    const node: INode = {
      id: 'node-1',
      name: 'Node',
      type: `n8n-nodes-base.${type.description.name}`,
      typeVersion: [type.description.version].flat().at(-1) ?? 1,
      position: [0, 0],
      parameters: parameters as INode['parameters'],
      credentials: { [credentialType]: { id: account, name: 'Account' } },
      ...own,
    };
    const nodeTypes: INodeTypes = { getByName: () => type, getByNameAndVersion: () => type, getKnownTypes: () => ({}) };
    const staticData: IDataObject = {};
    const around = new workflow.Workflow({
      id: 'workflow-1',
      nodes: [node],
      connections: {},
      active: true,
      nodeTypes,
      settings: { timezone },
      staticData,
    });
    const additionalData = {
      credentialsHelper,
      executionId,
      currentNodeParameters: parameters,
      variables: {},
      webhookBaseUrl: 'http://127.0.0.1:5678/webhook',
      restApiUrl: '',
      webhookTestBaseUrl: '',
    };
    return { node, around, additionalData };
  };

  return {
    action: new Scheduler(),
    trigger: new SchedulerTrigger(),
    credentialType,
    builtIn(path, version) {
      const [type] = Object.values(
        fromHost(`n8n-nodes-base/dist/nodes/${path}.node.js`) as Record<string, new () => INodeType | IVersionedNodeType>,
      ).map((Node) => new Node());
      if (type === undefined) throw new Error(`n8n has no node at ${path}.`);
      return 'nodeVersions' in type ? type.getNodeType(version) : type;
    },
    executing(type, parameters, items = [{}], run = {}) {
      const { node, around, additionalData } = setting(type, parameters, run);
      const input: INodeExecutionData[] = items.map((json, item) => ({ json, pairedItem: { item } }));
      return new core.ExecuteContext(
        around,
        node,
        additionalData,
        'trigger',
        workflow.createEmptyRunExecutionData?.() ?? emptyRun,
        run.runIndex ?? 0,
        input,
        { main: [input] },
        { node, data: { main: [input] }, source: null },
        [],
      );
    },
    hooking(type, parameters, { webhookId, staticData }) {
      const { node, around, additionalData } = setting(type, parameters, { node: { webhookId } });
      // As n8n stores it with the workflow.
      around.staticData[`node:${node.name}`] = staticData;
      const description = type.description.webhooks?.[0];
      return new core.HookContext(around, node, additionalData, 'trigger', 'init', { webhookDescription: description, isTest: false });
    },
  };
}

/** Of n8n's database of credentials, what its contexts use. */
const credentialsHelperOf = (credentialOf: (id: string) => StoredCredential): object => ({
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
});
