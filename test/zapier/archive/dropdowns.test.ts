import { dropdowns } from '../parts/dropdowns.ts';
import { asTests } from '../parts/stage.ts';
import { archive } from './archive.ts';

asTests(dropdowns, archive);
