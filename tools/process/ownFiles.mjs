/** Loaded into a Node process before its own code (`--import`). Makes the files that it writes readable only by its user. */
import { isMainThread } from 'node:worker_threads';

// A thread has no file mask of its own, and may not change the process's mask.
if (isMainThread) process.umask(0o077);
