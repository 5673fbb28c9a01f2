import { searches } from '../parts/searches.ts';
import { asTests } from '../parts/stage.ts';
import { archive } from './archive.ts';

asTests(searches, archive);
