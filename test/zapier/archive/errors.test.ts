import { errors } from '../parts/errors.ts';
import { asTests } from '../parts/stage.ts';
import { archive } from './archive.ts';

asTests(errors, archive);
