import { quickly } from './quickly.ts';

quickly('searches');
