"""An agent with one tool, and nothing but Python's standard library: python3 agent.py looping|healthy"""

import json
import os
import sys
from urllib.error import HTTPError
from urllib.request import Request, urlopen

ROUNDS = 40


def ask(messages):
    body = json.dumps({"model": sys.argv[1], "messages": messages}).encode()
    url = os.environ["OPENAI_BASE_URL"] + "/chat/completions"
    with urlopen(Request(url, body, {"content-type": "application/json"})) as response:
        return json.load(response)["choices"][0]["message"]


def search(page):
    return f"Page {page}: high tide at {page + 5}:{page + 17}."


def work():
    messages = [{"role": "user", "content": "When is high tide?"}]
    for answers in range(ROUNDS):
        try:
            message = ask(messages)
        except HTTPError as error:
            if error.code != 402:
                raise
            return f"refused after {answers} calls"
        calls = message.get("tool_calls", [])
        if not calls:
            return f"finished after {answers + 1} calls"
        messages.append(message)
        for call in calls:
            text = search(**json.loads(call["function"]["arguments"]))
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": text})
    return f"still at it after {ROUNDS} calls"


print(work())
