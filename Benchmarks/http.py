#!/usr/bin/env python3
"""Times reading of an API on loopback beside curl and whichever peers are there, all in one run.

A local nginx serves 1,000 pages of a list (43 MB), each with the address of the next, and 1,300 documents (some 70 KB
each), once at once and once 50 ms late (that needs nginx's Lua module); the documents also as a PokéAPI for the provider
`pokemon`. `curl` only fetches: it is the limit, thrown away or kept in files. Each further
peer is a Python in a virtual environment of its own: AIOHTTP_PYTHON (aiohttp, orjson), CHDB_PYTHON, DLT_PYTHON,
AIRBYTE_PYTHON (airbyte-cdk).
"""

import argparse
import filecmp
import json
import os
import random
import shutil
import socket
import statistics
import subprocess
import sys
import time

import measure

HERE = os.path.dirname(os.path.abspath(__file__))
PAGES = 1000
DOCUMENTS = 1300
SYLLABLES = ["bul", "ba", "saur", "char", "man", "der", "squir", "tle", "pi", "ka", "chu", "mew", "ra", "ti", "ni", "do"]
STATS = ["hp", "attack", "defense", "special-attack", "special-defense", "speed"]
CONFIGURATION = """
daemon off; worker_processes 1; pid {dir}/nginx.pid; error_log {dir}/nginx.log;
load_module modules/ndk_http_module.so; load_module modules/ngx_http_lua_module.so;
events {{ worker_connections 512; }}
http {{
  access_log off; default_type application/json; keepalive_requests 1000000;
  client_body_temp_path {dir}/t1; proxy_temp_path {dir}/t2; fastcgi_temp_path {dir}/t3; uwsgi_temp_path {dir}/t4; scgi_temp_path {dir}/t5;
  map $arg_page $page {{ default $arg_page; "" 1; }}
  server {{
    listen 127.0.0.1:{fast}; root {dir}/fast;
    location = /list {{ try_files /list/$page.json =404; }}
    location ~ ^/api/v2/pokemon/?$ {{ try_files /pokemon.json =404; }}
    location ~ ^/api/v2/pokemon/([0-9]+)/?$ {{ try_files /detail/$1.json =404; }}
  }}
  server {{
    listen 127.0.0.1:{slow}; root {dir}/slow;
    access_by_lua_block {{ ngx.sleep(0.05) }}
    location = /list {{ try_files /list/$page.json =404; }}
    location ~ ^/api/v2/pokemon/?$ {{ try_files /pokemon.json =404; }}
    location ~ ^/api/v2/pokemon/([0-9]+)/?$ {{ try_files /detail/$1.json =404; }}
  }}
}}
"""


def word(chance, count):
    """A made-up word."""
    return "".join(chance.choice(SYLLABLES) for _ in range(count))


def named(chance, kind, syllables=2):
    """A reference to another resource."""
    return {"name": word(chance, syllables), "url": f"https://api.example.com/{kind}/{chance.randint(1, 900)}/"}


def document(chance, number):
    """A document of 10 to 200 KB, of which a few fields are wanted."""
    return {
        "abilities": [{"ability": named(chance, "ability"), "is_hidden": slot == 3, "slot": slot} for slot in (1, 3)],
        "base_experience": chance.randint(30, 300), "height": chance.randint(1, 40), "id": number, "is_default": True,
        "moves": [
            {"move": named(chance, "move"), "details": [
                {"level": chance.randint(0, 60), "method": named(chance, "method"), "version": named(chance, "version")}
                for _ in range(chance.randint(1, 4))]}
            for _ in range(chance.randint(12, 250))],
        "name": word(chance, 3), "order": number, "species": named(chance, "species"),
        "sprites": {f"{side}_{kind}": f"https://api.example.com/{side}/{number}.png" for side in ("back", "front") for kind in ("default", "shiny")},
        "stats": [{"base_stat": chance.randint(20, 150), "effort": 0, "stat": {"name": name}} for name in STATS],
        "types": [{"slot": 1, "type": named(chance, "type")}], "weight": chance.randint(10, 2000),
    }


def item(chance, number):
    """A record of a list page."""
    return {
        "id": number, "name": word(chance, 3), "url": f"https://api.example.com/items/{number}/",
        "height": chance.randint(1, 40), "types": [{"slot": 1, "type": named(chance, "type")}],
        "stats": {name: chance.randint(20, 150) for name in STATS[:3]}, "text": " ".join(word(chance, 2) for _ in range(26)),
    }


def generate(folder, ports):
    """Writes the pages and the documents; the same bytes each time, but for the port in the addresses."""
    if os.path.exists(f"{folder}/complete"):
        return
    chance = random.Random(7)
    for name in ports:
        for kind in ("list", "detail"):
            os.makedirs(f"{folder}/{name}/{kind}", exist_ok=True)
    entries = [{"name": f"entry-{number}", "url": f"/api/v2/pokemon/{number}/"} for number in range(1, DOCUMENTS + 1)]
    for name in ports:
        with open(f"{folder}/{name}/pokemon.json", "w", encoding="utf-8") as file:
            json.dump({"count": DOCUMENTS, "next": None, "previous": None, "results": entries}, file)
    for number in range(1, DOCUMENTS + 1):
        body = json.dumps(document(chance, number), separators=(",", ":"))
        for name in ports:
            with open(f"{folder}/{name}/detail/{number}.json", "w", encoding="utf-8") as file:
                file.write(body)
    for number in range(1, PAGES + 1):
        items = [item(chance, 100 * number + offset) for offset in range(100)]
        for name, port in ports.items():
            following = f"http://127.0.0.1:{port}/list?page={number + 1}" if number < PAGES else None
            with open(f"{folder}/{name}/list/{number}.json", "w", encoding="utf-8") as file:
                json.dump({"count": 100 * PAGES, "next": following, "results": items}, file, separators=(",", ":"))
    open(f"{folder}/complete", "w").close()


def sources(folder, ports):
    """Writes the sources.yaml that aggregate reads."""
    text = "version: 1\nsources:\n"
    for name, port in ports.items():
        text += f"""  {name}_pokemon: {{ provider: pokemon, detail: true, page_size: 10000, base_url: "http://127.0.0.1:{port}/api/v2" }}
  {name}_list:
    provider: rest
    url: http://127.0.0.1:{port}/list?page=1
    records: $.results[*]
    paginate: {{ next_url: {{ from: $.next }} }}
    columns: {{ id: $.id, name: $.name, height: $.height, hp: $.stats.hp, type: "$.types[0].type.name" }}
  {name}_detail:
    provider: rest
    url: "http://127.0.0.1:{port}/detail/{{k}}.json"
    for_each: {{ k: {{ range: {{ from: 1, to: {PAGES} }} }} }}
    columns: {{ id: $.id, name: $.name, height: $.height, weight: $.weight }}
"""
    with open(f"{folder}/sources.yaml", "w", encoding="utf-8") as file:
        file.write(text)


def free_port():
    """A port that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def start_server(folder, ports):
    """nginx, serving the folder."""
    with open(f"{folder}/nginx.conf", "w", encoding="utf-8") as file:
        file.write(CONFIGURATION.format(dir=folder, **ports))
    server = subprocess.Popen(
        ["nginx", "-c", f"{folder}/nginx.conf", "-e", f"{folder}/nginx.log"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(100):
        try:
            for port in ports.values():
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return server
        except OSError:
            time.sleep(0.05)
    server.terminate()
    sys.exit(f"nginx did not start; see {folder}/nginx.log (it needs the packages nginx and libnginx-mod-http-lua)")


def python(variable, script, *arguments):
    """A peer's command, or None when its Python is not there."""
    found = os.environ.get(variable)
    return [found, f"{HERE}/peers/{script}", *arguments] if found else None


def to_file(command, path):
    """A command whose standard output goes to a file."""
    return ["sh", "-c", 'out=$1; shift; exec "$@" > "$out"', "sh", path, *command] if command else None


def commands(binary, folder, ports):
    """Each work's programs and their commands, curl first."""
    def of_aggregate(source, out, *options):
        return [binary, "-c", f"{folder}/sources.yaml", "-q", source, "--no-cache", "-o", f"{folder}/{out}.csv", *options]

    def of_cache(source, out, *options):
        # Each run begins with an empty cache and keeps every answer: what keeping costs.
        cached = [word for word in of_aggregate(source, out, *options) if word != "--no-cache"]
        return ["sh", "-c", 'rm -rf "$0"; exec "$@"', f"{folder}/state/aggregate", *cached]

    def of_curl(port, width):
        return ["curl", "-sZ", "--parallel-max", str(width), "-o", "/dev/null", f"http://127.0.0.1:{port}/detail/[1-{PAGES}].json"]

    fast, slow = (f"http://127.0.0.1:{ports[name]}" for name in ("fast", "slow"))
    works = {"list": {
        "curl": ["curl", "-s", "-o", "/dev/null", f"{fast}/list?page=[1-{PAGES}]"],
        "aggregate": of_aggregate("fast_list", "list"),
        "aggregate, cache on": of_cache("fast_list", "list_cached"),
        "aiohttp + orjson": to_file(python("AIOHTTP_PYTHON", "aiohttp_pages.py", fast), f"{folder}/aiohttp.csv"),
        "dlt": python("DLT_PYTHON", "dlt_pages.py", fast, f"{folder}/dlt"),
        "Airbyte CDK": to_file(python("AIRBYTE_PYTHON", "airbyte_pages.py", fast), f"{folder}/airbyte.jsonl"),
    }}
    for width in (8, 32):
        works[f"detail, {width} at a time"] = {
            "curl": of_curl(ports["fast"], width),
            "aggregate": of_aggregate("fast_detail", f"detail{width}", "-j", str(width)),
            "aggregate, cache on": of_cache("fast_detail", f"detail{width}_cached", "-j", str(width)),
            "aiohttp + orjson": to_file(
                python("AIOHTTP_PYTHON", "aiohttp_documents.py", fast, str(PAGES), str(width)), f"{folder}/aiohttp.csv"),
            "chdb url()": to_file(
                python("CHDB_PYTHON", "chdb_documents.py", fast, str(PAGES), str(width)), f"{folder}/chdb.csv"),
        }
    def documents(server):
        return f"{server}/api/v2/pokemon/[1-{DOCUMENTS}]/"

    works[f"pokemon, {DOCUMENTS:,} documents"] = {
        "curl": ["curl", "-sZ", "-o", "/dev/null", documents(fast)],
        "curl, to files": ["curl", "-sZ", "--create-dirs", "--output-dir", f"{folder}/kept", "-o", "#1.json", documents(fast)],
        "aggregate": of_aggregate("fast_pokemon", "pokemon"),
        "aggregate, cache on": of_cache("fast_pokemon", "pokemon_cached"),
    }
    works[f"pokemon, {DOCUMENTS:,} documents, 50 ms late, 50 at a time"] = {
        "curl": ["curl", "-sZ", "-o", "/dev/null", documents(slow)],
        "aggregate": of_aggregate("slow_pokemon", "pokemon_late", "-j", "50"),
    }
    works["detail, 50 ms late, 32 at a time"] = {
        "curl": of_curl(ports["slow"], 32), "aggregate": of_aggregate("slow_detail", "slow", "-j", "32")}
    return works


def table(name, results):
    """Prints medians and ratios to curl."""
    print(f"\n**{name}**\n\n| program | wall s | CPU s | peak MB | wall ÷ curl | CPU ÷ aggregate |\n|---|---|---|---|---|---|")

    def median(program, field):
        return statistics.median(getattr(run, field) for run in results[program])

    for program in results:
        if results[program]:
            print(
                f"| {program} | {median(program, 'wall'):.2f} | {median(program, 'cpu'):.2f} | {median(program, 'peak'):.0f} "
                f"| {median(program, 'wall') / median('curl', 'wall'):.2f} | {median(program, 'cpu') / median('aggregate', 'cpu'):.1f} |")
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True, help="the aggregate to measure")
    parser.add_argument("--dir", required=True, help="where the pages and results go")
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    folder = os.path.abspath(options.dir)
    os.makedirs(folder, exist_ok=True)
    shutil.rmtree(f"{folder}/state", ignore_errors=True)
    os.environ.update({"XDG_STATE_HOME": f"{folder}/state", "XDG_CACHE_HOME": f"{folder}/state"})
    # The addresses of the pages name the port, so that it stays.
    if os.path.exists(f"{folder}/ports.json"):
        with open(f"{folder}/ports.json", encoding="utf-8") as file:
            ports = json.load(file)
    else:
        ports = {"fast": free_port(), "slow": free_port()}
        with open(f"{folder}/ports.json", "w", encoding="utf-8") as file:
            json.dump(ports, file)
    generate(folder, ports)
    sources(folder, ports)
    server = start_server(folder, ports)
    try:
        for name, programs in commands(options.binary, folder, ports).items():
            results = {program: [] for program, command in programs.items() if command}
            for _ in range(options.repeat):
                for program in list(results):
                    if results[program] and results[program][0].wall > measure.SLOW_SECONDS / 4:
                        continue
                    shutil.rmtree(f"{folder}/dlt", ignore_errors=True)
                    measured, failure = measure.run(programs[program], f"{folder}/none")
                    if failure is not None:
                        print(f"{program} failed on {name}: {failure[-2000:]}", file=sys.stderr)
                        del results[program]
                        continue
                    results[program].append(measured)
            table(name, results)
        single = [options.binary, "-c", f"{folder}/sources.yaml", "-q", "fast_detail", "--no-cache", "-j", "1", "-o", f"{folder}/detail1.csv"]
        subprocess.run(single, check=True)
        same = filecmp.cmp(f"{folder}/detail1.csv", f"{folder}/detail32.csv", shallow=False)
        print(f"\nThe rows with one request at a time and with 32: {'the same bytes' if same else 'DIFFERENT'}")
    finally:
        server.terminate()
        server.wait()
    sys.exit(0 if same else 1)


if __name__ == "__main__":
    main()
