"""A coder and its terminal, with nothing but Python's standard library: python3 coder.py MODEL

Asks the model for code, runs it, and sends back what came of it, as AutoGen words it. Prints how many messages there were.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.error import HTTPError
from urllib.request import Request, urlopen

ROUNDS = 25


def ask(messages):
    body = json.dumps({"model": sys.argv[1], "messages": messages}).encode()
    url = os.environ["OPENAI_BASE_URL"] + "/chat/completions"
    with urlopen(Request(url, body, {"content-type": "application/json"})) as response:
        return json.load(response)["choices"][0]["message"]["content"]


def run(code):
    with TemporaryDirectory() as folder:
        file = Path(folder, "code.js")
        file.write_text(code)
        done = subprocess.run([os.environ["NODE"], file], capture_output=True, text=True)
    outcome = "succeeded" if done.returncode == 0 else "failed"
    output = done.stdout + "".join(re.findall(r"^\w*Error: .*\n", done.stderr, re.MULTILINE))
    return f"exitcode: {done.returncode} (execution {outcome})\nCode output: {output}"


def work():
    task = "What is the mean temperature in our table of three days?"
    messages = [{"role": "user", "content": task, "name": "terminal"}]
    for _ in range(ROUNDS):
        try:
            text = ask(messages)
        except HTTPError as error:
            if error.code != 402:
                raise
            break
        messages.append({"role": "assistant", "content": text, "name": "coder"})
        if text.endswith("TERMINATE"):
            break
        [code] = re.findall(r"```javascript\n(.*?)```", text, re.DOTALL)
        messages.append({"role": "user", "content": run(code), "name": "terminal"})
    return len(messages)


print(work())
