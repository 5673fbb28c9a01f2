#!/usr/bin/env bash
# Package: @modelcontextprotocol/client 2.4.0, which learns from WWW-Authenticate of a 401 or 403 where to sign in and for which scope.
# The good guess: the header is read as HTTP has it (RFC 9110): several challenges may stand in it, names of parameters are in any case, and
#   what stands in quotation marks is text.
# What is seen: if Basic stands first, or a name has a capital, nothing is found. And the first "scope=" of the header counts, also inside
#   the sentence of error_description, with the quotation mark at its end.
# Why it matters: behind a gateway that also offers Basic, sign-in is looked for at a guessed address. And a helpful sentence makes
#   the client ask for a scope that nobody knows, so signing in again ends in invalid_scope. Name Bearer first, and scope before all sentences.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @modelcontextprotocol/client@2.4.0 >> npm.log 2>&1
cat > challenges.mjs <<'END'
import { extractWWWAuthenticateParams } from '@modelcontextprotocol/client';
const where = 'resource_metadata="https://example.com/metadata"';
const sentence = 'error="insufficient_scope", error_description="The call needs scope=bookings:write"';
for (const challenge of [
  `Bearer ${where}, scope="bookings:write"`,
  `Basic realm="Bookings", Bearer ${where}, scope="bookings:write"`,
  `Bearer Resource_Metadata="https://example.com/metadata"`,
  `Bearer scope="bookings:write", ${sentence}`,
  `Bearer ${sentence}, scope="bookings:write"`,
]) {
  const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(new Response('', { status: 401, headers: { 'WWW-Authenticate': challenge } }));
  console.log(`${challenge}\n  metadata ${resourceMetadataUrl ?? 'none'}, scope ${scope ?? 'none'}`);
}
END
node challenges.mjs > seen
cat seen
cat > expected <<'END'
Bearer resource_metadata="https://example.com/metadata", scope="bookings:write"
  metadata https://example.com/metadata, scope bookings:write
Basic realm="Bookings", Bearer resource_metadata="https://example.com/metadata", scope="bookings:write"
  metadata none, scope none
Bearer Resource_Metadata="https://example.com/metadata"
  metadata none, scope none
Bearer scope="bookings:write", error="insufficient_scope", error_description="The call needs scope=bookings:write"
  metadata none, scope bookings:write
Bearer error="insufficient_scope", error_description="The call needs scope=bookings:write", scope="bookings:write"
  metadata none, scope bookings:write"
END
diff expected seen
