import { quickly } from './quickly.ts';

quickly('creates');
