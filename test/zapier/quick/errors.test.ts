import { quickly } from './quickly.ts';

quickly('errors');
