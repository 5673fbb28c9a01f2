import { DatabaseSync } from 'node:sqlite';
import { sqliteStores } from '../../sdk/stores/index.ts';

/** One of several processes that claim the same deliveries; prints how many it got. */
const [, , file = '', count = '0'] = process.argv;
const { claims } = sqliteStores(new DatabaseSync(file, { timeout: 30_000 }));
let got = 0;
for (let index = 0; index < Number(count); index += 1) {
  const claim = await claims.claim(`delivery ${index}`);
  if (claim.state !== 'mine') continue;
  got += 1;
  await claim.keep();
}
console.log(got);
