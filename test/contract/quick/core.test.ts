import { core } from '../platforms/core.ts';
import { contractOf } from '../suite.ts';

contractOf(core);
