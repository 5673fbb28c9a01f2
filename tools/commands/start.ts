/** `npm start`: a booking goes round, from one command. See `--help`. */
import { oneProcess } from '../start/n8nSide.ts';
import { help, readOptions } from '../start/options.ts';
import { runStart } from '../start/run.ts';

await runStart({
  name: 'npm start',
  help,
  async plan(args) {
    const options = await readOptions(args);
    return options && { options, host: oneProcess };
  },
});
