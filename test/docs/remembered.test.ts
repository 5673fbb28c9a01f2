import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { passing, remembered } from '../../tools/docs/remembered.ts';
import { root } from '../../tools/root.cjs';
import { memoriesIn } from './memories.ts';

/** Everything that ships, the example, and what the commands keep. */
const sources = globSync(
  [
    '{shared,n8n,zapier,mcp,sdk,examples,sandbox}/**/*.{ts,mjs}',
    'tools/{start,probe,rigs/queue,rigs/n8n}/**/*.{ts,mjs}',
    'tools/{commands/start,commands/start-queue,commands/probe,rigs/fetchTransport}.ts',
  ],
  { cwd: root },
)
  .filter((file) => !/node_modules|\/(dist|build)\//.test(file))
  .sort();

const entries = [
  ...Object.values(remembered)
    .flat()
    .map(({ code }) => code),
  passing,
];
const entered = entries
  .flatMap((code) => Object.entries(code))
  .reduce((all, [file, names]) => all.set(file, [...(all.get(file) ?? []), ...names]), new Map<string, string[]>());

describe('what is remembered', () => {
  it('every place in the code that can keep something has its entry in tools/docs/remembered.ts', () => {
    expect(sources.length).toBeGreaterThan(150);
    const missing = sources.flatMap((file) => {
      const known = entered.get(file) ?? [];
      return known.includes('*')
        ? []
        : memoriesIn(file)
            .filter((name) => !known.includes(name))
            .map((name) => `${file}: ${name}`);
    });
    expect(missing).toEqual([]);
  });

  it('every entry names something that exists', () => {
    const left = [...entered].flatMap(([file, names]) => {
      const found = sources.includes(file) ? memoriesIn(file) : [];
      return names.filter((name) => (name === '*' ? found.length === 0 : !found.includes(name))).map((name) => `${file}: ${name}`);
    });
    expect(left).toEqual([]);
  });

  it('every entry says where, until when, and who could reach it; and everything that ships says by which key', () => {
    for (const [who, rows] of Object.entries(remembered)) {
      const empty = rows.filter(({ what, where, key, until, reach }) =>
        [what, where, until, reach, ...(who.startsWith('Commands') ? [] : [key])].includes(''),
      );
      expect([who, empty]).toEqual([who, []]);
    }
  });
});

describe('what the test finds in a source', () => {
  it.each([
    ['a map beside the functions', 'const known = new Map(); export const of = (key) => known.get(key) ?? known.set(key, 1);', ['known']],
    [
      'a collection that is filled where it is made, and later',
      'const known = new Set(["a"]); export const learn = (name) => known.add(name);',
      ['known'],
    ],
    ['a variable that can change', 'let last; export function next() { return last++; }', ['last']],
    ['an object that others fill', 'const kept: Record<string, string> = {}; export function keep(key) { kept[key] = key; }', ['kept']],
    ['an object of a class, which may remember', 'import { Claims } from "./claims.ts"; const claims = new Claims();', ['claims']],
    [
      "a class's own collection",
      'export class Claims { readonly #taken = new Set<string>(); take(key) { this.#taken.add(key); } }',
      ['Claims.#taken'],
    ],
    ["a class's own value that changes", 'export class Counter { #count = 0; next() { return ++this.#count; } }', ['Counter']],
    [
      'what a function keeps for the one that it returns',
      'export function once(work) { let done; return () => (done ??= work()); }',
      ['done'],
    ],
    [
      'the same, where it is returned by its name',
      'export function counter() { const seen = new Set(); function see(x) { seen.add(x); } return { see }; }',
      ['seen'],
    ],
    [
      "Zapier's store, by another name too",
      'export const keep = (z) => { const store = z.cache; return store.set("a", 1); };',
      ['z.cache'],
    ],
    ["a workflow's static data", 'export const kept = (hook) => hook.getWorkflowStaticData("node");', ['getWorkflowStaticData']],
    ['a file', 'import { writeFile } from "node:fs/promises"; export const keep = (text) => writeFile("kept.txt", text);', ['files']],
    [
      'a database',
      'import { DatabaseSync } from "node:sqlite"; export const open = () => new DatabaseSync("kept.sqlite");',
      ['DatabaseSync'],
    ],
  ])('%s', (_, text, found) => {
    expect(memoriesIn('some.ts', text)).toEqual(found);
  });

  it.each([
    [
      'a table that nothing changes',
      'const limits = { a: 1 }; const names = new Set(["a"]); export const has = (name) => names.has(name) && limits.a;',
    ],
    ['a pattern', 'const usual = /a/; const wider = new RegExp(usual); export const is = (text) => wider.test(text);'],
    [
      'what lives for one call',
      'export function sum(list) { let all = 0; const seen = new Set(); for (const x of list) { seen.add(x); all += x; } return all; }',
    ],
    ['a field that is set once', 'export class Client { readonly #base: string; constructor(base) { this.#base = base; } }'],
  ])('not %s', (_, text) => {
    expect(memoriesIn('some.ts', text)).toEqual([]);
  });

  it.each(['shared/define.ts', 'n8n/adapter/execute.ts', 'zapier/adapter/create.ts'])('a memory that is added to %s', (file) => {
    const added = 'const addedHere = new Map();\nexport const remember = (key: string) => addedHere.set(key, key);\n';
    const text = `${readFileSync(join(root, file), 'utf8')}\n${added}`;
    expect(memoriesIn(file, text).filter((name) => !(entered.get(file) ?? []).includes(name))).toEqual(['addedHere']);
  });
});
