/** `npm run sandbox`: the scheduling service alone, on this machine. See `--help`. */
import { runSandbox } from '../commandLine/sandbox.ts';

await runSandbox('npm run sandbox');
