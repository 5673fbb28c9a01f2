/**
 * `node tools/release/uploadZapier.ts <folder> v<version>`: uploads the built archive, as `zapier-platform upload` does.
 *
 * It needs only Node.js. Zapier's own tool would load more than 900 packages into the process that knows the deploy key, only to send one
 * request. A test compares this request with the tool's.
 *
 * `<folder>` contains `build.zip` and `source.zip` as Zapier's `build` wrote them. From the environment: ZAPIER_APP_ID, ZAPIER_DEPLOY_KEY,
 * and in tests ZAPIER_ENDPOINT. Exits with 1 and a sentence if Zapier does not accept the archive.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const {
  ZAPIER_APP_ID: app = '',
  ZAPIER_DEPLOY_KEY: deployKey = '',
  ZAPIER_ENDPOINT: endpoint = 'https://zapier.com/api/platform/cli',
} = process.env;
const [folder = '', tag = ''] = process.argv.slice(2);
const version = /^v(\d+\.\d+\.\d+)$/.exec(tag)?.[1];

try {
  if (folder === '' || version === undefined)
    throw new Error('Say where the archive is and which tag it was built from: node tools/release/uploadZapier.ts release v1.2.3');
  if (!/^\d+$/.test(app)) throw new Error('ZAPIER_APP_ID has to be the number that registering the app wrote into zapier/.zapierapprc.');
  if (deployKey === '') throw new Error('ZAPIER_DEPLOY_KEY is not set.');
  await upload(version);
  console.log(`Uploaded version ${version} to Zapier.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function upload(version: string): Promise<void> {
  const [zip, source] = await Promise.all(['build.zip', 'source.zip'].map((file) => readFile(join(folder, file), 'base64')));
  const answer = await fetch(`${endpoint}/apps/${app}/versions/${version}`, {
    method: 'PUT',
    redirect: 'error',
    headers: {
      Accept: 'application/json',
      'Content-Type': 'application/json; charset=utf-8',
      'X-Requested-With': 'XMLHttpRequest',
      'X-Deploy-Key': deployKey,
    },
    body: JSON.stringify({ zip_file: zip, source_zip_file: source, skip_validation: false }),
  });
  if (!answer.ok)
    throw new Error(`Zapier did not accept version ${version} (status ${answer.status}): ${(await answer.text()).slice(0, 500)}`);
}
