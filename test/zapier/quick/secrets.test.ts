import { quickly } from './quickly.ts';

quickly('waits', 'secrets');
