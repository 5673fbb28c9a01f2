import { execFileSync } from 'node:child_process';
import { readFileSync, globSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { NodeHelpers, type INodeProperties, type INodeTypeDescription } from 'n8n-workflow';
import { Scheduler } from '../../n8n/nodes/Scheduler/Scheduler.node.ts';
import { SchedulerPollingTrigger } from '../../n8n/nodes/SchedulerPollingTrigger/SchedulerPollingTrigger.node.ts';
import { SchedulerTrigger } from '../../n8n/nodes/SchedulerTrigger/SchedulerTrigger.node.ts';
import { brand } from '../../shared/brand.ts';
import { installN8n } from '../../tools/rigs/n8n/install.ts';
import type { WorkflowFile, WorkflowNode } from '../../tools/rigs/n8n/workflows.ts';
import { root } from '../../tools/root.cjs';

// The first call ever installs n8n.
jest.setTimeout(25 * 60_000);

const files = globSync(['docs/templates/*.json', 'n8n/examples/*.json'], { cwd: root }).sort();
const read = (path: string): WorkflowFile => JSON.parse(readFileSync(join(root, path), 'utf8')) as WorkflowFile;

const isNote = ({ type }: WorkflowNode): boolean => type === 'n8n-nodes-base.stickyNote';

type MakeTools = (all: { nodes: INodeTypeDescription[] }, known: object) => void;

/** The nodes of the pinned n8n and ours, as its editor knows them: with the tools that n8n makes of them. */
let types: INodeTypeDescription[];
beforeAll(async () => {
  const { folder } = await installN8n();
  const installed = createRequire(join(folder, 'node_modules', 'index.js'));
  const tools = installed('./n8n/dist/tool-generation/index.js') as Record<'createAiTools' | 'createHitlTools', MakeTools>;
  const { commonPollingParameters } = installed('./n8n-core/dist/nodes-loader/constants.js') as {
    commonPollingParameters: INodeProperties[];
  };
  const theirs = ['n8n-nodes-base', '@n8n/n8n-nodes-langchain'].flatMap((name) =>
    (installed(`./${name}/dist/types/nodes.json`) as INodeTypeDescription[]).map((type) => ({ ...type, name: `${name}.${type.name}` })),
  );
  const ours = [new Scheduler(), new SchedulerTrigger(), new SchedulerPollingTrigger()].map(({ description }) => ({
    ...description,
    name: `n8n-nodes-${brand.slug}.${description.name}`,
    properties: [...(description.polling === true ? commonPollingParameters : []), ...description.properties],
  }));
  types = [...theirs, ...ours];
  const known = { nodes: Object.fromEntries(types.map(({ name }) => [name, {}])), credentials: {} };
  tools.createAiTools({ nodes: types }, known);
  tools.createHitlTools({ nodes: types }, known);
});

const typeOf = ({ type, typeVersion }: WorkflowNode): INodeTypeDescription =>
  types.find(({ name, version }) => name === type && [version].flat().includes(typeVersion)) ??
  fail(`n8n has no ${type} of version ${typeVersion}.`);

const parametersOf = (node: WorkflowNode, withDefaults: boolean) =>
  NodeHelpers.getNodeParameters(typeOf(node).properties, node.parameters as never, withDefaults, false, node, typeOf(node));

/** What only the owner of an account can choose. */
const chosenByOwner: Record<string, string[]> = {
  'agent-evaluation': ['When fetching a dataset row: dataTableId'],
  'form-that-books': ['Create booking: eventTypeId'],
};

it.each(files)('%s lacks only what its owner has to choose', (path) => {
  const lacking = read(path).nodes.flatMap((node) => {
    const filled = { ...node, parameters: parametersOf(node, true) };
    const issues = NodeHelpers.getNodeParametersIssues(typeOf(node).properties, filled as never, typeOf(node));
    return Object.keys(issues?.parameters ?? {}).map((parameter) => `${node.name}: ${parameter}`);
  });
  expect(lacking).toEqual(chosenByOwner[basename(path, '.json')] ?? []);
});

it.each(files)('%s lies in the form that the editor saves: without default values, and on its grid', (path) => {
  const file = read(path);
  const nodes = file.nodes.map((node) => ({
    ...node,
    position: node.position.map((place) => Math.round(place / 16) * 16),
    parameters: parametersOf(node, false),
  }));
  if (process.env['UPDATE_SCREENS'] === '1') {
    writeFileSync(join(root, path), JSON.stringify({ ...file, nodes }));
    // Which otherwise leaves JSON as it is.
    const prettier = join(root, 'node_modules', 'prettier', 'bin', 'prettier.cjs');
    execFileSync(process.execPath, [prettier, '--write', '--ignore-path', 'none', path], { cwd: root });
  }
  expect(file.nodes).toEqual(nodes);
});

/** The sizes that n8n draws, in its own units: a node with its name and the line below, and a note in its own size. */
function box(node: WorkflowNode): { left: number; top: number; right: number; bottom: number } {
  const [left, top] = node.position;
  const { width = 240, height = 160 } = (isNote(node) ? node.parameters : { width: 96, height: 150 }) as {
    width?: number;
    height?: number;
  };
  return { left, top, right: left + width, bottom: top + height };
}

function overlap(one: WorkflowNode, other: WorkflowNode): boolean {
  const [a, b] = [box(one), box(other)];
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

it.each(files)('%s has its notes and nodes beside each other, none under another', (path) => {
  const { nodes } = read(path);
  const covered = nodes.flatMap((node, index) =>
    nodes.slice(index + 1).flatMap((other) => (overlap(node, other) ? [`${node.name} and ${other.name}`] : [])),
  );
  expect(covered).toEqual([]);
});

it.each(files)('%s names the outputs of its switches', (path) => {
  for (const { type, parameters } of read(path).nodes) {
    if (type !== 'n8n-nodes-base.switch') continue;
    const { rules } = parameters as { rules?: { values?: { renameOutput?: boolean; outputKey?: string }[] } };
    expect(rules?.values?.length).toBeGreaterThan(0);
    for (const rule of rules?.values ?? [])
      expect(rule).toMatchObject({ renameOutput: true, outputKey: expect.stringMatching(/\w/) as string });
  }
});
