import { connectPerson } from '../sdk/node/connectPerson.ts';
import { runProgram } from './program.ts';

void runProgram(process, connectPerson);
