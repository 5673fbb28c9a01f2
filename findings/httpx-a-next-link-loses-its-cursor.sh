#!/usr/bin/env bash
# Packages: httpx 0.28.1, a client for HTTP on which the Python packages of many services are built, compared with requests 2.34.2. A
#   stand-in answers from memory.
# The good guess: params are added to a URL that has a query already, as requests does, or replace those of the same name. An empty params
#   changes nothing.
# What is seen: the whole query of the URL is replaced: /bookings?cursor=abc with params={"limit": 2} is /bookings?limit=2, and with
#   params={} it is /bookings. params of the client do the same to every URL. Without params, or with None, the query is kept.
# Why it matters: a program that follows the "next" link of a list and passes the limit or the time zone along asks for the first page for
#   ever, and never sees the rest of the bookings. A list of one page works.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check --retries 1 httpx==0.28.1 requests==2.34.2 > pip.log 2>&1
cat > pages.py <<'END'
import httpx
import requests

BOOKINGS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri']

def answer(request):
    query = request.url.params
    at, limit = int(query.get('cursor', 0)), int(query.get('limit', 2))
    rest = at + limit < len(BOOKINGS)
    return httpx.Response(200, json={'items': BOOKINGS[at : at + limit], 'next': f'https://api.example.com/bookings?cursor={at + limit}' if rest else None})

with httpx.Client(transport=httpx.MockTransport(answer)) as client:
    for name, more in [('without params', {}), ('with a limit', {'params': {'limit': 2}}), ('with no filter', {'params': {}})]:
        url, seen = 'https://api.example.com/bookings', []
        for _ in range(4):
            body = client.get(url, **more).json()
            seen += body['items']
            url = body['next']
            if url is None:
                break
        print(f'{name}: {" ".join(seen)}{"" if url is None else " ..."}')
link = 'https://api.example.com/bookings?cursor=2&start=2030-01-31'
for params in [None, {}, {'limit': 2}]:
    print(f'params {params}: httpx {httpx.Request("GET", link, params=params).url.query.decode()!r}, requests {requests.Request("GET", link, params=params).prepare().path_url.partition("?")[2]!r}')
with httpx.Client(params={'timezone': 'UTC'}) as client:
    print('params of the client:', client.build_request('GET', link).url.query.decode())
END
venv/bin/python pages.py > seen
cat seen
cat > expected <<'END'
without params: Mon Tue Wed Thu Fri
with a limit: Mon Tue Mon Tue Mon Tue Mon Tue ...
with no filter: Mon Tue Mon Tue Mon Tue Mon Tue ...
params None: httpx 'cursor=2&start=2030-01-31', requests 'cursor=2&start=2030-01-31'
params {}: httpx '', requests 'cursor=2&start=2030-01-31'
params {'limit': 2}: httpx 'limit=2', requests 'cursor=2&start=2030-01-31&limit=2'
params of the client: timezone=UTC
END
diff expected seen
