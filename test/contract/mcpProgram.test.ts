import { mcpProgram } from './platforms/mcpProgram.ts';
import { contractOf, quickly } from './suite.ts';

contractOf(mcpProgram, quickly);
