#!/usr/bin/env bash
# Packages: @octokit/plugin-paginate-rest 16.0.0 (with @octokit/core 7.0.8) and got 14.6.6, which read all pages of a list by its Link
#   header, and parse-link-header 2.0.0, compared with http-link-header 1.1.4.
# The good guess: Link is a standard (RFC 8288), so a client that follows rel="next" follows each valid form: without quotes, with two
#   relations (rel="next last"), in other letter case, after other parameters, and with a comma in a URL or a title.
# What is seen: given a form that they do not know, octokit and got silently stop after the first page. Unquoted rel=next stops octokit
#   only; Rel="next" stops both. got fails on a comma in a URL or a title. Only http-link-header reads all forms.
# Why it matters: a list of "status=confirmed,pending" fails or is cut short because of how a valid header is spelled. Records that were not
#   read count as cancelled, or are created again. Check a full page that names no next one.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @octokit/core@7.0.8 @octokit/plugin-paginate-rest@16.0.0 got@14.6.6 parse-link-header@2.0.0 http-link-header@1.1.4 >> npm.log 2>&1
cat > pages.mjs <<'END'
import { createServer } from 'node:http';
import { Octokit } from '@octokit/core';
import { paginateRest } from '@octokit/plugin-paginate-rest';
import got from 'got';
import LinkHeader from 'http-link-header';
import parse from 'parse-link-header';
const forms = ['<2>; rel="next"', '<2>; rel=next', '<2>; rel="next last"', '<2>; Rel="next"', '<2>; title="page 2"; rel="next"', '<2>; title="1, 2"; rel="next"', '<2?status=a,b>; rel="next"'];
const server = createServer((request, response) => {
  const [, form, page] = request.url.split('?')[0].split('/');
  response.setHeader('content-type', 'application/json');
  if (page === '1') response.setHeader('link', forms[form].replace('<', `<http://localhost:${server.address().port}/${form}/`));
  response.end('[{}]');
});
await new Promise((resolve) => server.listen(0, resolve));
const base = `http://localhost:${server.address().port}`;
const octokit = new (Octokit.plugin(paginateRest))({ baseUrl: base });
const count = (read) => read().then((pages) => `${pages.length} of 2`, () => 'an error');
for (const [index, form] of forms.entries()) {
  const byOctokit = await count(() => octokit.paginate(`GET /${index}/1`));
  const byGot = await count(() => got.paginate.all(`${base}/${index}/1`));
  const found = (next) => (next === undefined ? 'nothing' : 'next');
  console.log(`${form}: octokit ${byOctokit}, got ${byGot}; parse-link-header ${found(parse(form)?.next)}, http-link-header ${found(LinkHeader.parse(form).rel('next')[0])}`);
}
server.close();
END
node pages.mjs > seen
cat seen
cat > expected <<'END'
<2>; rel="next": octokit 2 of 2, got 2 of 2; parse-link-header next, http-link-header next
<2>; rel=next: octokit 1 of 2, got 2 of 2; parse-link-header next, http-link-header next
<2>; rel="next last": octokit 1 of 2, got 1 of 2; parse-link-header next, http-link-header next
<2>; Rel="next": octokit 1 of 2, got 1 of 2; parse-link-header nothing, http-link-header next
<2>; title="page 2"; rel="next": octokit 1 of 2, got 2 of 2; parse-link-header next, http-link-header next
<2>; title="1, 2"; rel="next": octokit 1 of 2, got an error; parse-link-header next, http-link-header next
<2?status=a,b>; rel="next": octokit 2 of 2, got an error; parse-link-header next, http-link-header next
END
diff expected seen
