import { quickly } from './quickly.ts';

quickly('connection');
