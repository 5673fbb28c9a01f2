import { installCore } from '../../../tools/rigs/n8n/install.ts';
import { holdsInCore } from '../support/inCore.ts';

holdsInCore('2.8.4, which refreshes once for every request', () => installCore('2.8.4'));
