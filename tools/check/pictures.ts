import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brand } from '../../shared/brand.ts';
import { root } from '../root.cjs';

/** A hash of the name in the pictures of docs/images, which must be taken again after `npm run brand` changes it. */
const file = join(root, 'docs', 'images', 'brand.sha256');
const now = `${createHash('sha256').update(brand.name).digest('hex')}\n`;

/** The commands that take all pictures. */
export const takePictures = [
  'UPDATE_SCREENS=1 npm test -- test/n8n/editor test/n8n/golden',
  'UPDATE_PICTURES=1 npm test -- test/e2e/start',
] as const;

export const showOtherName = async (): Promise<boolean> => (await readFile(file, 'utf8')) !== now;

/** Records that the pictures show the current name. */
export const showThisName = (): Promise<void> => writeFile(file, now);
