import { connection } from '../parts/connection.ts';
import { asTests } from '../parts/stage.ts';
import { archive } from './archive.ts';

asTests(connection, archive);
