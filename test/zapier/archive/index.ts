import { cancels } from './cancels.ts';
import { connection } from './connection.ts';
import { creates } from './creates.ts';
import { deliveries } from './deliveries.ts';
import { dropdowns } from './dropdowns.ts';
import { errors } from './errors.ts';
import { lostAnswers } from './lostAnswers.ts';
import { searches } from './searches.ts';
import type { Part } from './stage.ts';
import { triggers } from './triggers.ts';

/** Everything that must hold of the built app, driven as Zapier drives it. `npm run try:zapier` and `npm test` run the same. */
export const parts: readonly Part[] = [connection, dropdowns, triggers, deliveries, creates, lostAnswers, cancels, searches, errors];
