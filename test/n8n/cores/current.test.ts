import { installN8n, n8nVersion } from '../../../tools/rigs/n8n/install.ts';
import { holdsInCore } from '../support/inCore.ts';

holdsInCore(`${n8nVersion}, which refreshes once for all`, async () => (await installN8n()).folder);
