import { openInBrowser } from '../sdk/node/browser.ts';
import { connectPerson } from '../sdk/node/connectPerson.ts';
import { runProgram } from './program.ts';

void runProgram(process, (file, connecting) => connectPerson(file, { ...connecting, openInBrowser }));
