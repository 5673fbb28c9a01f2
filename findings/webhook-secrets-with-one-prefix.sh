#!/usr/bin/env bash
# Packages: stripe 23.1.0, standardwebhooks 1.1.1 and svix 2.5.0, which sign webhooks with secrets that begin with whsec_.
# The good guess: whsec_ identifies the kind of secret, so all packages that accept it derive the same key from it.
# What is seen: Stripe uses the whole string as the key, including the prefix. Standard Webhooks and Svix remove the prefix and decode the
#   rest from base64. Each accepts the other's secret without an error, and every signature fails.
# Why it matters: with a library that goes by the prefix, or a service that says "like Stripe" and issues whsec_ secrets, every delivery is
#   refused, and the error is about the signature, so people suspect the body.
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
