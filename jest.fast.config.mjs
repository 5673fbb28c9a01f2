import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import base from './jest.config.mjs';

/** What repeats one thing many thousands of times, reads ten thousand bookings, or waits half a minute as Zapier does. */
const long = /^(queue|soak)[\\/]|[\\/]yearsOfBookings|^shared[\\/]polling|^shared[\\/]regularExpressions|^zapier[\\/]archive[\\/]waits/;

const folder = join(import.meta.dirname, 'test');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.ts') && !long.test(file));

/** Code that starts another program: a build, a server, n8n, a browser. */
const starters = new Set(['node:child_process', 'node:worker_threads', 'playwright-core']);
const imported = /(?:^|[\s;}])(?:import|export)\s(?!type\s)[^'"`;]*?from\s*['"]([^'"]+)['"]|(?:^|[\s;(])import\s*\(?\s*['"]([^'"]+)['"]/g;

/** @type {Map<string, boolean>} */
const known = new Map();

/**
 * Whether a file, or any file of this project that it imports, starts another program.
 *
 * @param {string} file
 * @returns {boolean}
 */
function startsPrograms(file) {
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

/** The tests for the inner loop: those that start no other program, no n8n and no browser. */
export default {
  ...base,
  testMatch: files.filter((file) => !startsPrograms(join(folder, file))).map((file) => `<rootDir>/test/${file.replaceAll('\\', '/')}`),
};
