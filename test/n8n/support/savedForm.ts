import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/v4';
import type { WorkflowFile, WorkflowNode } from '../../../tools/rigs/n8n/workflows.ts';
import { until } from '../../support/until.ts';
import type { Editor } from './editor.ts';

export const stickyNote = 'n8n-nodes-base.stickyNote';

const Copied = z.object({ nodes: z.array(z.looseObject({ name: z.string() })), connections: z.looseObject({}) });

/** The parts of a workflow that differ in each n8n, or that only a file has. */
const ownOfEach = ['id', 'webhookId', 'credentials'] as const;

/**
 * A workflow as the editor saves it after somebody has opened each of its nodes: without default values, on the grid, and with everything
 * that each panel adds.
 *
 * @param file the workflow that is open, as a file, whose ids and credentials are kept
 */
export async function savedForm(editor: Editor, origin: string, file: WorkflowFile): Promise<WorkflowFile> {
  await editor.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
  let saved: WorkflowFile | undefined;
  try {
    saved = await lookedInto(editor, file);
    return saved;
  } finally {
    // With unsaved changes, the editor would ask about them instead of opening the next workflow.
    if (!isDeepStrictEqual(saved, file)) await editor.page.goto('about:blank');
  }
}

/** The forms of the nodes whose panels were open. */
const lookedAt = new Set<string>();

/**
 * What a node's panel makes its additions from: which parameters are set, and the choices among them. What is typed (an expression, an
 * address, code, a name) makes no difference to them.
 */
function formOf({ type, typeVersion, parameters }: WorkflowNode): string {
  const typed = ['id', 'jsCode', 'name', 'query'];
  return JSON.stringify([type, typeVersion, parameters], (key, value: unknown) =>
    typeof value === 'string' && value !== '' && (typed.includes(key) || /^(=|https:)/.test(value)) ? 'typed' : value,
  );
}

async function lookedInto({ page, at, answered }: Editor, file: WorkflowFile): Promise<WorkflowFile> {
  const node = (name: string) => page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
  const nodes = file.nodes.filter(({ type }) => type !== stickyNote);
  const others = nodes.filter((each) => {
    const isKnown = lookedAt.has(formOf(each));
    lookedAt.add(formOf(each));
    // Files that are written again need the additions in each place.
    return !isKnown || process.env['UPDATE_SCREENS'] === '1';
  });
  // Whoever has opened none would copy nothing: the keyboard belongs to the canvas after that.
  for (const each of others.length > 0 ? others : nodes.slice(0, 1)) {
    await node(each.name).dblclick();
    await at('node-parameters').first().waitFor();
    // A panel makes its additions once its lists have loaded.
    await answered();
    await page.keyboard.press('Escape');
    await at('node-parameters').first().waitFor({ state: 'hidden' });
  }
  return merged(file, Copied.parse(JSON.parse(await copied(page))));
}

/** The whole canvas, as the editor copies it. */
async function copied(page: Editor['page']): Promise<string> {
  await page.evaluate("navigator.clipboard.writeText('')");
  return until(async () => {
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+c');
    const text = String(await page.evaluate('navigator.clipboard.readText()'));
    return text.startsWith('{') && text;
  });
}

/** The nodes in the order of the file, with the file's own parts. */
function merged(file: WorkflowFile, saved: z.infer<typeof Copied>): WorkflowFile {
  const nodes = file.nodes.map((node) => {
    const now = saved.nodes.find(({ name }) => name === node.name);
    if (now === undefined) throw new Error(`The editor does not show the node "${node.name}".`);
    const own = Object.fromEntries(ownOfEach.flatMap((key) => (node[key] === undefined ? [] : [[key, node[key]]])));
    const kept = Object.fromEntries(Object.entries(now).filter(([key]) => !(ownOfEach as readonly string[]).includes(key)));
    const { id, name, type, typeVersion, position, parameters, ...others } = { ...kept, ...own } as unknown as WorkflowNode;
    return { id, name, type, typeVersion, position, parameters, ...others };
  });
  return { ...file, nodes, connections: inOrderOf(file, saved.connections as WorkflowFile['connections']) };
}

const inOrderOf = (file: WorkflowFile, connections: WorkflowFile['connections']): WorkflowFile['connections'] =>
  Object.fromEntries(file.nodes.flatMap(({ name }) => (connections[name] === undefined ? [] : [[name, connections[name]]])));
