import { creates } from '../parts/creates.ts';
import { asTests } from '../parts/stage.ts';
import { archive } from './archive.ts';

asTests(creates, archive);
