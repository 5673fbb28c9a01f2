import { triggers } from '../parts/triggers.ts';
import { asTests } from '../parts/stage.ts';
import { archive } from './archive.ts';

asTests(triggers, archive);
