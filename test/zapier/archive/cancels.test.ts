import { cancels } from '../parts/cancels.ts';
import { asTests } from '../parts/stage.ts';
import { archive } from './archive.ts';

asTests(cancels, archive);
