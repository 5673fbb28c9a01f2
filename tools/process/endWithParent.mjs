/** Loaded into a Node process before anything of its own (`--import`): what was started for somebody does not outlive them, however they ended. */
import { whenParentIsGone } from './parent.mjs';

const PATIENCE_MS = 10_000;

whenParentIsGone(() => {
  process.kill(process.pid, 'SIGTERM');
  // npm, in the middle of an installation, does not listen.
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), PATIENCE_MS).unref();
});
