#!/usr/bin/env bash
# Package: fastapi 0.142.2 (with pydantic 2.13.5), with which services in Python answer JSON.
# The good guess: the same value is the same JSON from each function of a service, whether its result is annotated or not. The annotation
#   only describes the answer and checks it.
# What is seen: without an annotation, a dict has its length as seconds (5400.0) and its price as a number (19.9). With "-> dict", the same
#   dict has them as text ("PT1H30M", "19.90"), and the time ends with Z in place of +00:00. jsonable_encoder, which the documentation
#   recommends for storing data, does the first with a dict and the second with a model.
# Why it matters: somebody adds an annotation, as a linter asks, and each client that adds up prices or lengths puts texts together:
#   "19.9019.90". Until then, list and single booking of one service have other types.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check --retries 1 fastapi==0.142.2 pydantic==2.13.5 httpx==0.28.1 > pip.log 2>&1
cat > answers.py <<'END'
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from fastapi import FastAPI
from fastapi.encoders import jsonable_encoder
from fastapi.testclient import TestClient
from pydantic import BaseModel

class Booking(BaseModel):
    start: datetime
    length: timedelta
    price: Decimal

booking = {'start': datetime(2030, 1, 31, 9, tzinfo=timezone.utc), 'length': timedelta(minutes=90), 'price': Decimal('19.90')}
app = FastAPI()

@app.get('/a dict')
def plain():
    return booking

@app.get('/a dict, annotated')
def annotated() -> dict:
    return booking

@app.get('/a model')
def model():
    return Booking(**booking)

client = TestClient(app)
for path in ['/a dict', '/a dict, annotated', '/a model']:
    print(f'{path[1:]}: {client.get(path).text}')
print(f'jsonable_encoder, a dict: {jsonable_encoder(booking)}')
print(f'jsonable_encoder, a model: {jsonable_encoder(Booking(**booking))}')
END
venv/bin/python -W ignore answers.py > seen
cat seen
cat > expected <<'END'
a dict: {"start":"2030-01-31T09:00:00+00:00","length":5400.0,"price":19.9}
a dict, annotated: {"start":"2030-01-31T09:00:00Z","length":"PT1H30M","price":"19.90"}
a model: {"start":"2030-01-31T09:00:00Z","length":"PT1H30M","price":"19.90"}
jsonable_encoder, a dict: {'start': '2030-01-31T09:00:00+00:00', 'length': 5400.0, 'price': 19.9}
jsonable_encoder, a model: {'start': '2030-01-31T09:00:00Z', 'length': 'PT1H30M', 'price': '19.90'}
END
diff expected seen
