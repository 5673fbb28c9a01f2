#!/usr/bin/env bash
# Package: jsforce 3.10.16, a client for Salesforce. A small stand-in server shows the query (SOQL) that it receives.
# The good guess: a search for records whose email is in a list finds none if the list is empty, or the service refuses it, as SOQL has no
#   "IN ()". Only undefined drops a condition.
# What is seen: an empty list silently drops the whole condition, so all contacts are found. Combined with another condition, only the other
#   one remains; inside $or, that half is gone. For "not in", dropping the condition is right.
# Why it matters: if nobody has accepted a meeting, its list of guests is everybody in the CRM. find(...).update and find(...).destroy use
#   the same query. Tests have at least one guest. Check the list before you query.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts jsforce@3.10.16 >> npm.log 2>&1
cat > guests.cjs <<'END'
const http = require('node:http');
const { Connection } = require('jsforce');
let asked;
const service = http.createServer((request, response) => {
  asked = new URL(request.url, 'http://127.0.0.1').searchParams.get('q');
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ totalSize: 0, done: true, records: [] }));
});
service.listen(0, '127.0.0.1', async () => {
  const connection = new Connection({ instanceUrl: `http://127.0.0.1:${service.address().port}`, accessToken: 'token', version: '60.0' });
  for (const emails of [['ana@example.com'], []])
    for (const [says, conditions] of [
      ['in', { Email: { $in: emails } }],
      ['a list alone', { Email: emails }],
      ['not in', { Email: { $nin: emails } }],
      ['beside another', { Email: { $in: emails }, Active__c: true }],
      ['or', { $or: [{ Email: { $in: emails } }, { OwnerId: '005000000000001' }] }],
    ]) {
      await connection.sobject('Contact').find(conditions, ['Id']);
      console.log(`${emails.length} email, ${says}: ${asked}`);
    }
  service.close();
  service.closeAllConnections();
});
END
node guests.cjs > seen
cat seen
cat > expected <<'END'
1 email, in: SELECT Id FROM Contact WHERE Email IN ('ana@example.com')
1 email, a list alone: SELECT Id FROM Contact WHERE Email IN ('ana@example.com')
1 email, not in: SELECT Id FROM Contact WHERE Email NOT IN ('ana@example.com')
1 email, beside another: SELECT Id FROM Contact WHERE Email IN ('ana@example.com') AND Active__c = true
1 email, or: SELECT Id FROM Contact WHERE Email IN ('ana@example.com') OR OwnerId = '005000000000001'
0 email, in: SELECT Id FROM Contact
0 email, a list alone: SELECT Id FROM Contact
0 email, not in: SELECT Id FROM Contact
0 email, beside another: SELECT Id FROM Contact WHERE Active__c = true
0 email, or: SELECT Id FROM Contact WHERE OwnerId = '005000000000001'
END
diff expected seen
