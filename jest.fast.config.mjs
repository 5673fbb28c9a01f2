import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import base from './jest.config.mjs';
import { startsPrograms } from './tools/jest/startsPrograms.ts';

/** What repeats one thing many thousands of times. */
const long = /^(attacks|queue|soak)[\\/]|^n8n[\\/]manyItems/;

const folder = join(import.meta.dirname, 'test');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.ts') && !long.test(file));

/** The tests for the inner loop: those that start no other program, no n8n and no browser. */
export default {
  ...base,
  testMatch: files.filter((file) => !startsPrograms(join(folder, file))).map((file) => `<rootDir>/test/${file.replaceAll('\\', '/')}`),
};
