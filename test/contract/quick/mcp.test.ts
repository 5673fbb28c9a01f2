import { mcp } from '../platforms/mcp.ts';
import { contractOf } from '../suite.ts';

contractOf(mcp);
