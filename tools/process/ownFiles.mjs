/** Loaded into a Node process before its own code (`--import`): makes the files that it writes readable by its user only. */
import { isMainThread } from 'node:worker_threads';

// A thread has no file mask of its own and may not change the one of the process.
if (isMainThread) process.umask(0o077);
