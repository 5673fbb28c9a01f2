#!/usr/bin/env bash
# Package: timekit-sdk 1.19.8, the service's own package; a local server stands in for the service and shows the body that is sent.
# The good guess: the package converts its own field names to snake case, as the service expects. Names in the customer's data, such as the
#   questions of a form or the fields of another system, are data and stay unchanged.
# What is seen: every name at every depth is converted: "Company Name" is sent as "company _name", "VATNumber" as "v_a_t_number", and an id
#   such as "evtA1" as "evt_a1". If two names become the same (orderId, order_id), the last one wins. This is the default, unless
#   convertRequestToSnakecase is set to false.
# Why it matters: a guest's answer is stored under a name that no form has, so the email, the CRM and the next booking do not find it; and
#   what is read back has other names than what was sent.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts timekit-sdk@1.19.8 >> npm.log 2>&1
cat > booking.cjs <<'END'
const http = require('node:http');
const timekit = require('timekit-sdk');
let sent = '';
const service = http.createServer(async (request, response) => {
  sent = '';
  for await (const part of request) sent += part;
  response.writeHead(201, { 'Content-Type': 'application/json' }).end('{"data":{"id":"b1"}}');
});
service.listen(0, '127.0.0.1', async () => {
  timekit.configure({ appKey: 'key', apiBaseUrl: `http://127.0.0.1:${service.address().port}/` });
  const booking = {
    resourceId: 'r1',
    graph: 'instant',
    what: 'Intro call',
    customer: { name: 'Ada', email: 'ada@example.com', 'Company Name': 'Analytical Engines', VATNumber: 'GB1' },
    meta: { evtA1: 'yes', orderId: 7, order_id: 8 },
  };
  for (const convertRequestToSnakecase of [true, false]) {
    timekit.configure({ convertRequestToSnakecase });
    await timekit.createBooking(booking);
    const { customer, meta } = JSON.parse(sent);
    console.log(`convertRequestToSnakecase ${convertRequestToSnakecase}`);
    console.log(`  customer: ${JSON.stringify(customer)}`);
    console.log(`  meta: ${JSON.stringify(meta)}`);
  }
  service.closeAllConnections();
  service.close();
});
END
node booking.cjs > seen
cat seen
cat > expected <<'END'
convertRequestToSnakecase true
  customer: {"name":"Ada","email":"ada@example.com","company _name":"Analytical Engines","v_a_t_number":"GB1"}
  meta: {"evt_a1":"yes","order_id":8}
convertRequestToSnakecase false
  customer: {"name":"Ada","email":"ada@example.com","Company Name":"Analytical Engines","VATNumber":"GB1"}
  meta: {"evtA1":"yes","orderId":7,"order_id":8}
END
diff expected seen
