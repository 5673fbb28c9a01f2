import { mcpProgram } from './platforms/mcpProgram.ts';
import { contractOf } from './suite.ts';

contractOf(mcpProgram);
