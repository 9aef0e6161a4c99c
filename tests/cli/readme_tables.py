"""README's stage tables are what `ferry stages` prints."""

import subprocess
import sys

ferry, readme = sys.argv[1:]
text = open(readme, encoding="utf-8").read()
stale = []
for backend in ("dynamo", "onnx", "executorch"):
    table = subprocess.run([ferry, "stages", backend], capture_output=True, text=True, check=True).stdout
    if table not in text:
        stale.append(f"README does not have the output of `ferry stages {backend}`, which is now:\n\n{table}")
print("\n".join(stale) or "README's tables are current")
sys.exit(bool(stale))
