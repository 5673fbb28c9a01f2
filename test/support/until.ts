export { until } from '../../tools/process/until.ts';
