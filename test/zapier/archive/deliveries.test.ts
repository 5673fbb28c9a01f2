import { deliveries } from '../parts/deliveries.ts';
import { asTests } from '../parts/stage.ts';
import { archive } from './archive.ts';

asTests(deliveries, archive);
