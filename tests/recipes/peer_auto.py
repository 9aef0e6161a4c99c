"""What transformers' auto exporters make of the dicts in a file: for each the name of the config's class, or "error", and whether its format is supported."""
import json
import sys

from transformers.exporters.auto import AutoExportConfig, AutoHfExporter


def outcome(given):
    try:
        return type(AutoExportConfig.from_dict(given)).__name__
    except (ValueError, TypeError):
        return "error"


with open(sys.argv[1]) as file:
    dicts = json.load(file)
with open(sys.argv[2], "w") as file:
    json.dump([[outcome(each), AutoHfExporter.supports_export_format(each)] for each in dicts], file)
