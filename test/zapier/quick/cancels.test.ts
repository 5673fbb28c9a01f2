import { quickly } from './quickly.ts';

quickly('cancels');
