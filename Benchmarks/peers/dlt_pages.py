"""Reads a list page by page with dlt's rest_api into a CSV file below the folder DIR: BASE/list?page=1, then each `next`."""

import os
import sys

base, folder = sys.argv[1:]
os.environ.update({
    "DLT_DATA_DIR": f"{folder}/dlt", "RUNTIME__DLTHUB_TELEMETRY": "false", "RUNTIME__LOG_LEVEL": "ERROR",
    "NORMALIZE__DATA_WRITER__DISABLE_COMPRESSION": "true",
})

import dlt  # noqa: E402
from dlt.sources.rest_api import rest_api_source  # noqa: E402

source = rest_api_source({
    "client": {"base_url": base, "paginator": {"type": "json_link", "next_url_path": "next"}},
    "resources": [{"name": "list", "endpoint": {"path": "list", "params": {"page": 1}, "data_selector": "results"}}],
})
pipeline = dlt.pipeline("pages", destination=dlt.destinations.filesystem(f"file://{folder}/out"), dataset_name="pages",
                        pipelines_dir=f"{folder}/pipelines")
pipeline.run(source, loader_file_format="csv")
