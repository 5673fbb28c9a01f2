#!/usr/bin/env bash
# Packages: @next/env 16.4.6, with which Next.js reads .env, compared with dotenv 18.0.10 and Node's own parseEnv.
# The good guess: a secret in single quotes is taken literally, as in a shell, and all programs that read the file get the same values.
# What is seen: @next/env expands variables after a dollar sign even in single quotes, so a secret is cut off there or loses a part:
#   'whsec_ab$cd12' becomes whsec_ab. dotenv and Node.js return it whole. Only a backslash before each dollar helps, and the other two keep
#   it in the value.
# Why it matters: a signing secret with a dollar verifies every delivery in a script, and rejects every one in the same project's route, as
#   if somebody had forged it. The uncut value is the right one.
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
