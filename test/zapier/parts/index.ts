import { cancels } from './cancels.ts';
import { connection } from './connection.ts';
import { creates } from './creates.ts';
import { deliveries } from './deliveries.ts';
import { dropdowns } from './dropdowns.ts';
import { errors } from './errors.ts';
import { searches } from './searches.ts';
import type { Part } from './stage.ts';
import { triggers } from './triggers.ts';
import { secrets } from './waits.ts';

export { asTests } from './stage.ts';

/** The parts that need neither the archive nor real time. */
export const quick: readonly Part[] = [connection, creates, cancels, searches, triggers, deliveries, dropdowns, errors, secrets];
