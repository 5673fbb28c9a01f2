import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkflowFile, WorkflowNode } from '../../tools/rigs/n8n/workflows.ts';
import { root } from '../../tools/root.cjs';

const files = [join('docs', 'templates'), join('n8n', 'examples')].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(folder, name)),
);
const read = (path: string): WorkflowFile => JSON.parse(readFileSync(join(root, path), 'utf8')) as WorkflowFile;

const isNote = ({ type }: WorkflowNode): boolean => type === 'n8n-nodes-base.stickyNote';

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
