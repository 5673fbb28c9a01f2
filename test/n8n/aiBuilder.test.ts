import { execFileSync } from 'node:child_process';
import { Scheduler } from '../../n8n/nodes/Scheduler/Scheduler.node.ts';
import schedulerCodex from '../../n8n/nodes/Scheduler/Scheduler.node.json';
import { SchedulerPollingTrigger } from '../../n8n/nodes/SchedulerPollingTrigger/SchedulerPollingTrigger.node.ts';
import pollingCodex from '../../n8n/nodes/SchedulerPollingTrigger/SchedulerPollingTrigger.node.json';
import { SchedulerTrigger } from '../../n8n/nodes/SchedulerTrigger/SchedulerTrigger.node.ts';
import triggerCodex from '../../n8n/nodes/SchedulerTrigger/SchedulerTrigger.node.json';
import { installN8n } from '../../tools/rigs/n8n/install.ts';

const named = (node: { description: { name: string } }, codex: { node: string; alias: string[] }) => ({
  ...node.description,
  name: codex.node,
  codex: { alias: codex.alias },
});

/** What n8n's own type generator and node search, of the pinned n8n, make of our nodes among its own. */
const program = `
  import { createRequire } from 'node:module';
  import { readFileSync } from 'node:fs';
  const { folder, nodes, queries } = JSON.parse(readFileSync(0, 'utf8'));
  const fromN8n = createRequire(folder + '/node_modules/n8n/package.json');
  const { generateNodeTypeFile } = fromN8n('@n8n/workflow-sdk/dist/generate-types/generate-types');
  const { NodeSearchEngine } = createRequire(fromN8n.resolve('@n8n/ai-utilities'))('./node-catalog/search-engine.js');
  const theirs = JSON.parse(readFileSync(fromN8n.resolve('n8n-nodes-base/dist/types/nodes.json'), 'utf8'));
  const search = new NodeSearchEngine([...theirs, ...nodes]);
  console.log(JSON.stringify({
    types: generateNodeTypeFile([nodes[0]]),
    found: queries.map((query) => search.searchByName(query, 8).map(({ name, builderHintMessage }) => ({ name, hint: builderHintMessage }))),
  }));
`;

const action = schedulerCodex.node;
const queries: [string, string][] = [
  ['reschedule', action],
  ['appointment', action],
  ['cancel booking', action],
  ['new booking', triggerCodex.node],
  ['new appointment', triggerCodex.node],
];

let types: string;
let found: { name: string; hint?: string }[][];
beforeAll(async () => {
  const { folder } = await installN8n();
  const nodes = [
    named(new Scheduler(), schedulerCodex),
    named(new SchedulerTrigger(), triggerCodex),
    named(new SchedulerPollingTrigger(), pollingCodex),
  ];
  const input = JSON.stringify({ folder, nodes, queries: queries.map(([query]) => query) });
  const said = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { input, encoding: 'utf8', maxBuffer: 2 ** 26 });
  ({ types, found } = JSON.parse(said) as { types: string; found: typeof found });
});

/** The generated type of one operation. */
const typeOf = (operation: string): string => new RegExp(`export type \\w*${operation}Params = \\{[^]*?\\n\\};`).exec(types)?.[0] ?? '';

it("n8n's AI builder reads which fields an operation needs, also those that n8n itself marks as optional", () => {
  expect(typeOf('BookingCreate')).toContain('Required: eventTypeId, startTime, inviteeName, inviteeEmail.');
  expect(typeOf('BookingCreate')).toMatch(/@builderHint Required\.[^\n]*eventTypeId/);
  expect(typeOf('ContactGet')).toContain('Required: contactId.');
});

it("n8n's AI builder reads each operation under its own heading, and how answers are entered", () => {
  expect(typeOf('ContactGet')).toContain('Get contact: ');
  expect(typeOf('EventTypeGetMany')).toContain('Get many event types: ');
  expect(typeOf('BookingCreate')).toContain('questionResponsesMode to "json"');
});

it.each(queries.map(([query, name], index) => ({ query, name, index })))(
  "n8n's search for “$query” finds the right node",
  ({ name, index }) => {
    const ours = found[index] ?? [];
    expect(ours.map((each) => each.name)).toContain(name);
  },
);

it('a search says when to take which trigger', () => {
  const hintOf = (name: string) => found.flat().find((each) => each.name === name)?.hint;
  expect(hintOf(triggerCodex.node)).toMatch(/reachable from the internet/);
  expect(hintOf(action)).toMatch(/Trigger/);
});
