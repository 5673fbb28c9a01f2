import { openInBrowser } from '../sdk/node/person.ts';
import { connectPerson } from '../sdk/node/login.ts';
import { runProgram } from './program.ts';

// Whoever reads the help or the messages may leave, such as `head`. That is no failure.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

void runProgram(process, (file, connecting) => connectPerson(file, { ...connecting, openInBrowser }));
