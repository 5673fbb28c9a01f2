/** `node tools/run.mjs bench/capacity/main.ts`: simulates, and writes the tables of docs/scale.md anew. A test holds them against the simulation. */
import { readFile, writeFile } from 'node:fs/promises';
import { scalePage, withTables } from './tables.ts';

await writeFile(scalePage, await withTables(await readFile(scalePage, 'utf8')));
console.log('The simulated tables of docs/scale.md are up to date.');
