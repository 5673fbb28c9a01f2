/**
 * `node keeper.mjs <signal> <program> [arguments]`: runs a server that is not part of this project. It ends the server with `signal`
 * when it is asked to stop, or when the process that started it is gone for any reason. KEEPER_UID and KEEPER_GID name
 * another user to run the server as.
 */
import { spawn } from 'node:child_process';
import '../../process/ownFiles.mjs';
import { whenParentIsGone } from '../../process/parent.mjs';

const [signal, program = '', ...args] = process.argv.slice(2);
const { KEEPER_UID: uid, KEEPER_GID: gid, ...env } = process.env;
const as = uid === undefined || gid === undefined ? {} : { uid: Number(uid), gid: Number(gid) };
const server = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'], env, ...as });
const end = () => void server.kill(/** @type {NodeJS.Signals} */ (signal));

for (const asked of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(asked, end);
whenParentIsGone(end);
server.on('error', (error) => {
  console.error(error.message);
  process.exitCode = 1;
});
server.on('exit', (code, endedBy) => process.exit(code ?? (endedBy === null ? 1 : 0)));
