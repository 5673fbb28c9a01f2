#!/usr/bin/env bash
# Packages: stripe 23.1.0, standardwebhooks 1.1.1 and svix 2.5.0, which sign webhooks with secrets that begin with whsec_.
# The good guess: whsec_ says which kind of secret it is, so all that take it make the same key of it.
# What is seen: Stripe takes the whole text as the key, prefix and all. Standard Webhooks and Svix leave the prefix out and decode the rest
#   from base64. Each takes the other's secret without an error, and every signature fails.
# Why it matters: a helper that signs by prefix, or a service that says "like Stripe" and hands out whsec_, is refused by every delivery, and
#   the error speaks of the signature, so people look for the fault in the body.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts stripe@23.1.0 standardwebhooks@1.1.1 svix@2.5.0 >> npm.log 2>&1
cat > secrets.mjs <<'END'
import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { Webhook as SvixWebhook } from 'svix';
const secret = `whsec_${Buffer.from('an example of 24 letters').toString('base64')}`;
const body = '{"type":"booking.created"}';
const now = Math.floor(Date.now() / 1000);
const keys = { 'the whole text': secret, 'the text without its prefix': secret.slice(6), 'the decoded bytes': Buffer.from(secret.slice(6), 'base64') };
const keyOf = (signed, signature, form) => Object.keys(keys).find((name) => createHmac('sha256', keys[name]).update(signed).digest(form) === signature);
const header = new Stripe('sk_test_x').webhooks.generateTestHeaderString({ payload: body, secret, timestamp: now });
console.log('stripe:', keyOf(`${now}.${body}`, header.split('v1=')[1], 'hex'));
for (const [name, Kind] of [['standardwebhooks', Webhook], ['svix', SvixWebhook]]) {
  const signature = new Kind(secret).sign('msg_1', new Date(now * 1000), body);
  console.log(`${name}:`, keyOf(`msg_1.${now}.${body}`, signature.replace('v1,', ''), 'base64'));
}
END
node secrets.mjs > seen
cat seen
cat > expected <<'END'
stripe: the whole text
standardwebhooks: the decoded bytes
svix: the decoded bytes
END
diff expected seen
