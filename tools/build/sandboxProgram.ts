/** The program of the sandbox's package. Its options are those of `npm run sandbox`. */
import { runSandbox } from '../commandLine/sandbox.ts';
import { sandboxName } from './names.ts';

void runSandbox(`npx ${sandboxName}`);
