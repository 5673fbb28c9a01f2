import { looksAt, DESKTOP } from './chromium.ts';
import { hostPageWorks } from './hostPageWorks.ts';

hostPageWorks(looksAt('on a desktop', DESKTOP));
