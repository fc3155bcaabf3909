"""Reads a list page by page with Airbyte's CDK and a declarative manifest: BASE/list?page=1, then each `next`; prints its records."""

import json
import os
import sys
import tempfile

from airbyte_cdk.entrypoint import launch
from airbyte_cdk.sources.declarative.concurrent_declarative_source import ConcurrentDeclarativeSource

base = sys.argv[1]
schema = {"type": "object", "properties": {"id": {"type": "integer"}}, "additionalProperties": True}
stream = {
    "type": "DeclarativeStream", "name": "list", "primary_key": ["id"],
    "schema_loader": {"type": "InlineSchemaLoader", "schema": schema},
    "retriever": {
        "type": "SimpleRetriever",
        "requester": {"type": "HttpRequester", "url_base": base, "path": "/list?page=1", "http_method": "GET"},
        "record_selector": {"type": "RecordSelector", "extractor": {"type": "DpathExtractor", "field_path": ["results"]}},
        "paginator": {
            "type": "DefaultPaginator", "page_token_option": {"type": "RequestPath"},
            "pagination_strategy": {
                "type": "CursorPagination", "cursor_value": "{{ response.next }}", "stop_condition": "{{ not response.next }}"},
        },
    },
}
manifest = {
    "version": "6.0.0", "type": "DeclarativeSource", "check": {"type": "CheckStream", "stream_names": ["list"]}, "streams": [stream],
    "spec": {"type": "Spec", "connection_specification": {"type": "object", "properties": {}}},
}
catalog = {"streams": [{
    "stream": {"name": "list", "json_schema": schema, "supported_sync_modes": ["full_refresh"]},
    "sync_mode": "full_refresh", "destination_sync_mode": "overwrite"}]}

with tempfile.TemporaryDirectory() as folder:
    paths = {}
    for name, value in (("config", {}), ("catalog", catalog)):
        paths[name] = os.path.join(folder, name + ".json")
        with open(paths[name], "w", encoding="utf-8") as file:
            json.dump(value, file)
    source = ConcurrentDeclarativeSource(catalog=None, config={}, state=None, source_config=manifest)
    launch(source, ["read", "--config", paths["config"], "--catalog", paths["catalog"]])
