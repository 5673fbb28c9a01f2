/**
 * `node tools/run.mjs bench/capacity/main.ts` runs the simulation and rewrites the tables of docs/scale.md. A test compares the tables with
 * the simulation.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { scalePage, withTables } from './tables.ts';

await writeFile(scalePage, await withTables(await readFile(scalePage, 'utf8')));
console.log('The simulated tables of docs/scale.md are up to date.');
