import { quickly } from './quickly.ts';

quickly('triggers');
