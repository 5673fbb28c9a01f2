import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Code that starts another program: a build, a server, n8n, a browser. */
const starters = new Set(['node:child_process', 'node:worker_threads', 'playwright-core']);
const imported = /(?:^|[\s;}])(?:import|export)\s(?!type\s)[^'"`;]*?from\s*['"]([^'"]+)['"]|(?:^|[\s;(])import\s*\(?\s*['"]([^'"]+)['"]/g;

const known = new Map<string, boolean>();

/**
 * Whether a file, or any file of this project that it imports, starts another program.
 *
 * @param file its path
 */
export function startsPrograms(file: string): boolean {
  const before = known.get(file);
  if (before !== undefined) return before;
  // Two files may import each other.
  known.set(file, false);
  // A program that a test contains as text may import files that do not exist here.
  if (!existsSync(file)) return false;
  const found = [...readFileSync(file, 'utf8').matchAll(imported)].map(([, from, alone]) => from ?? alone ?? '');
  const starts = found.some((each) => starters.has(each) || (each.startsWith('.') && startsPrograms(join(dirname(file), each))));
  known.set(file, starts);
  return starts;
}
