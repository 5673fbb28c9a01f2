import { quickly } from './quickly.ts';

quickly('dropdowns');
