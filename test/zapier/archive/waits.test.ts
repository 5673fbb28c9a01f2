import { waits } from '../parts/waits.ts';
import { asTests } from '../parts/stage.ts';
import { archive } from './archive.ts';

asTests(waits, archive);
