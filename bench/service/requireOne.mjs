/** Prints the cost of loading one module in a process that has already loaded what n8n loads anyway, in milliseconds of processor time. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import 'node:crypto';

const [installation = '', file = ''] = process.argv.slice(2);
const fromHost = createRequire(join(installation, 'index.js'));
for (const name of ['n8n-workflow', 'zod/v4', 'luxon']) fromHost(name);

const before = process.cpuUsage();
fromHost(file);
const { user, system } = process.cpuUsage(before);
process.stdout.write(String((user + system) / 1000));
