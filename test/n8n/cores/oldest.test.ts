import { installCore } from '../../../tools/rigs/n8n/install.ts';
import { holdsInCore } from '../support/inCore.ts';

holdsInCore('1.110.1, the oldest that is supported', () => installCore('1.110.1'));
