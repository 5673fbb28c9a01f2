import { join, relative } from 'node:path';
import { mustRun } from '../process/command.ts';
import { root } from '../root.cjs';
import { mcpStamped } from './mcpStamps.ts';
import { n8nStamped } from './n8nStamps.ts';
import { sdkStamped } from './sdkStamps.ts';
import { writeStamped, type Stamped } from './stamps.ts';
import { zapierStamped } from './zapier.ts';

const stamped = async (): Promise<Stamped[]> => (await Promise.all([n8nStamped(), mcpStamped(), sdkStamped(), zapierStamped()])).flat();

/** The committed parts of the packages that do not follow from the sources. */
export const staleParts = async (): Promise<string[]> =>
  (await stamped()).filter(({ before, after }) => after !== before).map(({ file }) => relative(root, file));

/** Writes everything generated that is committed, except golden snapshots: first the parts of the packages, which the documents describe. */
export async function writeGenerated(): Promise<void> {
  await writeStamped(await stamped());
  // In a process of its own, which loads the types that were just written.
  await mustRun(process.execPath, ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', join(root, 'tools', 'commands', 'docs.ts')], {
    cwd: root,
  });
}
