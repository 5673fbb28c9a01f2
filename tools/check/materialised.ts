import { cp, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { ICredentialType, INodeType } from 'n8n-workflow';
import { format } from 'prettier';
import { root } from '../root.cjs';

/**
 * Writes the package with its descriptions as literals instead of the code that computes them. n8n's rules read source text, so only then
 * do they see every label, default and option.
 *
 * @param madePackage the folder of the built package: Node itself cannot load the ES modules of n8n-workflow
 */
export async function materialise(madePackage: string, folder: string): Promise<void> {
  for (const name of ['package.json', 'eslint.config.mjs', 'icons', 'nodes', 'credentials'])
    await cp(join(root, 'n8n', name), join(folder, name), { recursive: true });
  const requireBuilt = createRequire(join(madePackage, 'dist', 'index.js'));
  const made = <Made>(file: string, name: string): Made => {
    const { [name]: Class } = requireBuilt(`./${file}.js`) as Record<string, new () => Made>;
    if (Class === undefined) throw new Error(`The package has no ${name}.`);
    return new Class();
  };

  for (const name of ['Scheduler', 'SchedulerTrigger', 'SchedulerPollingTrigger']) {
    const file = `nodes/${name}/${name}.node`;
    const { description } = made<INodeType>(file, name);
    await rewrite(join(folder, `${file}.ts`), [[/(?<=description: INodeTypeDescription = )\{[^]*?\n  \}/, description]]);
  }
  const file = 'credentials/SchedulerOAuth2Api.credentials';
  const { name, properties, test } = made<ICredentialType>(file, 'SchedulerOAuth2Api');
  await rewrite(join(folder, `${file}.ts`), [
    [/(?<= name = ).*(?=;)/, name],
    [/(?<= properties: INodeProperties\[\] = )\[[^]*?\n  \]/, properties],
    [/(?<= test: ICredentialTestRequest = ).*(?=;)/, test],
  ]);
}

/** Replaces computing code with its values, and removes the imports that it needed. */
async function rewrite(file: string, places: readonly (readonly [place: RegExp, value: unknown])[]): Promise<void> {
  let source = await readFile(file, 'utf8');
  for (const [place, value] of places) {
    if (!place.test(source)) throw new Error(`${file} has no ${String(place)}: say in tools/check/materialised.ts where it is now.`);
    source = source.replace(place, () => JSON.stringify(value).replaceAll('"main"', 'NodeConnectionTypes.Main'));
  }
  const alone = source.replaceAll(/^(?:import [^;]*? from '\.|const ).*;\n/gm, '');
  await writeFile(file, await format(alone, { parser: 'typescript', singleQuote: true }));
}
