import { quickly } from './quickly.ts';

quickly('deliveries');
