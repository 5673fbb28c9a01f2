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
  workflow: { Workflow: new (options: object) => Workflow; createEmptyRunExecutionData: () => object };
}

/** A stored OAuth credential, as n8n passes it to its helper. */
export interface StoredCredential extends IDataObject {
  baseUrl: string;
}

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
  /**
   * The context of one run of a node.
   * @param account distinguishes its credential from others
   */
  executing(type: INodeType, parameters: IDataObject, items?: IDataObject[], account?: string): IExecuteFunctions;
  /** The context in which a trigger is activated and deactivated. `webhookId` is part of its address. */
  hooking(type: INodeType, parameters: IDataObject, kept: { webhookId: string; staticData: IDataObject }): IHookFunctions;
}

/**
 * @param installation contains `node_modules` with n8n
 * @param ours our package, unpacked as it is installed
 */
export function loadCore(installation: string, ours: string, credential: StoredCredential): N8nCore {
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

  const credentialsHelper = {
    getParentTypes: () => ['oAuth2Api'],
    isCredentialUsableByNode: () => true,
    getCredentialsProperties: () => [],
    getDecrypted: () => Promise.resolve(structuredClone(credential)),
    runPreAuthentication: () => Promise.resolve(undefined),
    preAuthentication: () => Promise.resolve(undefined),
  };

  const setting = (type: INodeType, parameters: IDataObject, more: Partial<INode> = {}) => {
    const node: INode = {
      id: 'node-1',
      name: 'Node',
      type: `n8n-nodes-base.${type.description.name}`,
      typeVersion: [type.description.version].flat().at(-1) ?? 1,
      position: [0, 0],
      parameters: parameters as INode['parameters'],
      credentials: { [credentialType]: { id: 'credential-1', name: 'Account' } },
      ...more,
    };
    const nodeTypes: INodeTypes = { getByName: () => type, getByNameAndVersion: () => type, getKnownTypes: () => ({}) };
    const staticData: IDataObject = {};
    const around = new workflow.Workflow({
      id: 'workflow-1',
      nodes: [node],
      connections: {},
      active: true,
      nodeTypes,
      settings: { timezone: 'Europe/Berlin' },
      staticData,
    });
    const additionalData = {
      credentialsHelper,
      executionId: '1',
      currentNodeParameters: parameters,
      variables: {},
      webhookBaseUrl: 'http://127.0.0.1:5678/webhook',
      restApiUrl: '',
      webhookTestBaseUrl: '',
    };
    return { node, around, additionalData };
  };
  /** Static data of the node, as n8n stores it with the workflow. */
  const keep = (around: Workflow, node: INode, staticData: IDataObject) => {
    around.staticData[`node:${node.name}`] = staticData;
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
    executing(type, parameters, items = [{}], account = 'credential-1') {
      const { node, around, additionalData } = setting(type, parameters, {
        credentials: { [credentialType]: { id: account, name: 'Account' } },
      });
      const input: INodeExecutionData[] = items.map((json, item) => ({ json, pairedItem: { item } }));
      return new core.ExecuteContext(
        around,
        node,
        additionalData,
        'trigger',
        workflow.createEmptyRunExecutionData(),
        0,
        input,
        { main: [input] },
        { node, data: { main: [input] }, source: null },
        [],
      );
    },
    hooking(type, parameters, { webhookId, staticData }) {
      const { node, around, additionalData } = setting(type, parameters, { webhookId });
      keep(around, node, staticData);
      const description = type.description.webhooks?.[0];
      return new core.HookContext(around, node, additionalData, 'trigger', 'init', { webhookDescription: description, isTest: false });
    },
  };
}
