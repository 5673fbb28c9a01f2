import { sdk } from '../platforms/sdk.ts';
import { contractOf } from '../suite.ts';

contractOf(sdk);
