#!/usr/bin/env bash
# Package: @modelcontextprotocol/client 2.4.0, which learns from the WWW-Authenticate header of a 401 or 403 where to sign in and for which
#   scope.
# The good guess: the header is parsed as HTTP defines it (RFC 9110): it may contain several challenges, parameter names are
#   case-insensitive, and a quoted string is only a value.
# What is seen: if Basic comes first, or a parameter name has a capital letter, nothing is found. The first "scope=" in the header is used,
#   even inside the text of error_description, together with its closing quote (bookings:write").
# Why it matters: behind a gateway that also offers Basic, the client looks for the sign-in at a guessed address. And a helpful error text
#   makes it ask for an unknown scope, so that signing in again ends in invalid_scope. Put Bearer first, and scope before any text.
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
