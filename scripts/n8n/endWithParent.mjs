/** Loaded into n8n before anything of its own: a process that was started for a test or a trial must not outlive it, however that ended. */
import { whenParentIsGone } from '../parent.mjs';

whenParentIsGone(() => process.kill(process.pid, 'SIGTERM'));
