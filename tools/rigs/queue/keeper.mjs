/**
 * `node keeper.mjs <options as JSON> <program> [arguments]`: runs a server that is not part of this project, with options of Node's
 * `spawn`. It stops the server with `signal` when it is asked to stop, or when its parent is gone for any reason.
 */
import { spawn } from 'node:child_process';
import '../../process/ownFiles.mjs';
import { whenParentIsGone } from '../../process/parent.mjs';

const [options = '{}', program = '', ...args] = process.argv.slice(2);
/** @type {unknown} */
const read = JSON.parse(options);
const { signal, ...as } = /** @type {{ signal: NodeJS.Signals, uid?: number, gid?: number }} */ (read);
const server = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'], ...as });
const end = () => void server.kill(signal);

for (const asked of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(asked, end);
whenParentIsGone(end);
server.on('error', (error) => {
  console.error(error.message);
  process.exitCode = 1;
});
server.on('exit', (code, endedBy) => process.exit(code ?? (endedBy === null ? 1 : 0)));
