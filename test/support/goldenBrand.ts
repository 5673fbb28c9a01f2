import { join } from 'node:path';

/** Import this first: it gives a test the brand of the golden files, so that they stay the same under every brand. */
jest.mock('../../brand.json', () => jest.requireActual<object>(join(__dirname, '..', '__golden__', 'brand.json')));
