#!/usr/bin/env bash
# Packages: @next/env 16.4.6, with which Next.js reads .env, beside dotenv 18.0.10 and Node's own parseEnv.
# The good guess: a secret in single quotes is what stands there, as in a shell, and one file has the same values for all that read it.
# What is seen: @next/env fills in what follows a dollar also within single quotes, so that a secret ends before it, or lacks a part. dotenv and
#   Node.js give it whole. Only a backslash before each dollar helps, and that stands in the value for the other two.
# Why it matters: a signing secret with a dollar verifies every delivery in a script, and refuses every one in the same project's route, as if somebody
#   had forged it. The whole value is right.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @next/env@16.4.6 dotenv@18.0.10 >> npm.log 2>&1
cat > .env <<'END'
PLAIN=whsec_ab$cd12
SINGLE='whsec_ab$cd12'
DOUBLE="whsec_ab$cd12"
PRICE='pa$$word'
MARKED='whsec_ab\$cd12'
END
cat > secrets.mjs <<'END'
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import next from '@next/env';
import dotenv from 'dotenv';
const text = readFileSync('.env', 'utf8');
const quiet = { info: () => undefined, error: () => undefined };
const read = { '@next/env': next.loadEnvConfig(process.cwd(), false, quiet).parsedEnv, dotenv: dotenv.parse(text), 'Node.js': parseEnv(text) };
for (const [name, values] of Object.entries(read)) {
  const shown = ['PLAIN', 'SINGLE', 'DOUBLE', 'PRICE', 'MARKED'].map((each) => `${each} ${values[each]}`).join(', ');
  const sign = (secret) => createHmac('sha256', secret).update('{}').digest('hex');
  console.log(`${name}: ${shown}; the delivery ${sign(values.SINGLE) === sign('whsec_ab$cd12') ? 'is verified' : 'is refused'}`);
}
END
node secrets.mjs > seen
cat seen
cat > expected <<'END'
@next/env: PLAIN whsec_ab, SINGLE whsec_ab, DOUBLE whsec_ab, PRICE pa$, MARKED whsec_ab$cd12; the delivery is refused
dotenv: PLAIN whsec_ab$cd12, SINGLE whsec_ab$cd12, DOUBLE whsec_ab$cd12, PRICE pa$$word, MARKED whsec_ab\$cd12; the delivery is verified
Node.js: PLAIN whsec_ab$cd12, SINGLE whsec_ab$cd12, DOUBLE whsec_ab$cd12, PRICE pa$$word, MARKED whsec_ab\$cd12; the delivery is verified
END
diff expected seen
