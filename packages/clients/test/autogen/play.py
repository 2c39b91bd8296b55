"""Plays the model calls of recorded runs, one JSON object a line on standard input: {"id": ..., "requests": [...]}.

Needs Python's standard library alone, and OPENAI_BASE_URL. Each run has a key of its own, as runs of different users do, and ends where a call is refused. Prints how, one line a run.
"""

import json
import os
import sys
from http.client import HTTPConnection
from urllib.parse import urlsplit

BASE = urlsplit(os.environ["OPENAI_BASE_URL"])


def play(connection, run):
    statuses = []
    for at, body in enumerate(run["requests"]):
        headers = {
            "content-type": "application/json",
            "authorization": f"Bearer {run['id']}",
            "x-recorded": f"{run['id']}/{at}",
        }
        connection.request("POST", BASE.path + "/chat/completions", json.dumps(body), headers)
        response = connection.getresponse()
        statuses.append(response.status)
        response.read()
        if response.status == 402:
            break
    return {"id": run["id"], "statuses": statuses}


connection = HTTPConnection(BASE.hostname, BASE.port)
for line in sys.stdin:
    print(json.dumps(play(connection, json.loads(line))), flush=True)
