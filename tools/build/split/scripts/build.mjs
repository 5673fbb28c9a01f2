import { outputSchemas } from '../adapter/outputSchemas.ts';
import { buildPackage } from './package.mts';

await buildPackage(process.cwd(), outputSchemas());
