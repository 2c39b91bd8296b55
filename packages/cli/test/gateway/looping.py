"""An agent of a few lines, with the standard library alone: it calls its tool for as long as the model wants."""
import json
import os
import sys
import urllib.error
import urllib.request

base = os.environ["OPENAI_BASE_URL"]
finds = sys.argv[1]
messages = [{"role": "user", "content": "Find the orders."}]
for turn in range(12):
    body = json.dumps({"model": "gpt-4o-mini", "messages": messages}).encode()
    headers = {"content-type": "application/json", "authorization": "Bearer sk-python-key"}
    request = urllib.request.Request(f"{base}/chat/completions", body, headers)
    try:
        answer = json.load(urllib.request.urlopen(request))
    except urllib.error.HTTPError as error:
        print("refused", error.code, json.load(error)["error"]["message"])
        sys.exit(1)
    message = answer["choices"][0]["message"]
    messages.append(message)
    for call in message["tool_calls"]:
        found = f"order {turn}" if finds == "something" else "none"
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": found})
print("done after", turn + 1)
