/** Loaded into a Node process before its own code (`--import`). Ends the process when its parent has ended, for any reason. */
import { whenParentIsGone } from './parent.mjs';

const PATIENCE_MS = 10_000;

whenParentIsGone(() => {
  process.kill(process.pid, 'SIGTERM');
  // In the middle of an installation, npm ignores the signal.
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), PATIENCE_MS).unref();
});
