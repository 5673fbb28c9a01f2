/** Loaded into a Node process before anything of its own (`--import`): what it writes, its user alone can read. */
import { isMainThread } from 'node:worker_threads';

// A thread has no mask of its own and may not set that of the process.
if (isMainThread) process.umask(0o077);
