import { openInBrowser } from '../sdk/node/person.ts';
import { connectPerson } from '../sdk/node/login.ts';
import { runProgram } from './program.ts';

// The reader of the help or the messages, such as `head`, may leave early. That is not a failure.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

void runProgram(process, (file, connecting) => connectPerson(file, { ...connecting, openInBrowser }));
