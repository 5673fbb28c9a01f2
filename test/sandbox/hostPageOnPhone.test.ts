import { looksAt, PHONE } from './chromium.ts';
import { hostPageWorks } from './hostPageWorks.ts';

hostPageWorks(looksAt('on a phone', PHONE));
