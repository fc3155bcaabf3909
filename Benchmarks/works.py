"""The works, and how each program does them: the same rows into the same kind of file."""

import os
import shlex
import shutil
import subprocess

DESCRIPTIONS = {
    "W1": "nested NDJSON → CSV, eight fields",
    "W2": "NDJSON, filter, five fields, sort → CSV",
    "W3": "NDJSON, group by city, three aggregates → CSV",
    "W4": "CSV → NDJSON, types inferred",
    "W5": "NDJSON, first reading per city and day, joined with a table → CSV",
}

W1_FIELDS = [
    ("city", "city.name"), ("country", "city.country"), ("temp", "main.temp"),
    ("humidity", "main.humidity"), ("pressure", "main.pressure"), ("wind_speed", "wind.speed"),
    ("description", "weather.0.description"), ("dt", "dt"),
]


class Program:
    """A program that may be there, and its command line for each work."""

    def __init__(self, name, version, commands):
        self.name = name
        self.version = version
        self.commands = commands

    @property
    def file(self):
        """The name of its results, without an extension."""
        return {"mlr": "miller"}.get(self.name, self.name)


def first_line(command):
    """The first line that a command prints, or None when there is no such command."""
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return None
    text = (run.stdout or run.stderr).strip()
    return text.splitlines()[0] if run.returncode == 0 and text else None


def shell(text):
    """A pipeline as one command."""
    return ["sh", "-c", text]


def aggregate(path, data, out):
    """This project."""
    nested = f"{data}/readings.ndjson"
    select = ",".join(a if a == b else f"{a}={b}" for a, b in W1_FIELDS)
    group = "{group: {by: [city.name], set: {count: count(), mean_temp: mean(main.temp), max_wind: max(wind.speed)}}}"
    join = f"{{join: {{with: {data}/cities.csv, on: [city], kind: inner}}}}"
    return Program(
        "aggregate", first_line([path, "version"]),
        {
            "W1": [path, "convert", nested, "-o", f"{out}.csv", "--select", select],
            "W2": [
                path, "convert", nested, "-o", f"{out}.csv", "--where", "main.temp > 20", "--select",
                "temp=main.temp,city=city.name,country=city.country,humidity=main.humidity,dt", "--sort", "-temp",
            ],
            "W3": [path, "convert", nested, "-o", f"{out}.csv", "--stage", group, "--rename", "city.name=city"],
            "W4": [path, "convert", f"{data}/readings.csv", "-o", f"{out}.ndjson"],
            "W5": [
                path, "convert", nested, "-o", f"{out}.csv", "--select",
                "city=city.name,country=city.country,temp=main.temp,dt", "--set", "day=to_timestamp(dt)::date",
                "--stage", "{dedupe: {by: [city, day]}}", "--stage", join, "--select",
                "city,country,region,population,day,temp",
            ],
        },
    )


def duckdb(data, out):
    """DuckDB's command line, with its defaults."""
    path = os.environ.get("DUCKDB") or shutil.which("duckdb")
    version = path and first_line([path, "--version"])
    if not version:
        return None
    nested = f"read_json('{data}/readings.ndjson')"

    def copy(query, extension):
        return [path, "-c", f"COPY ({query}) TO '{out}.{extension}'"]

    return Program(
        "duckdb", version,
        {
            "W1": copy(
                "SELECT city.name AS city, city.country AS country, main.temp AS temp, main.humidity AS humidity, "
                "main.pressure AS pressure, wind.speed AS wind_speed, weather[1].description AS description, dt "
                f"FROM {nested}", "csv"),
            "W2": copy(
                "SELECT main.temp AS temp, city.name AS city, city.country AS country, main.humidity AS humidity, dt "
                f"FROM {nested} WHERE main.temp > 20 ORDER BY main.temp DESC", "csv"),
            "W3": copy(
                "SELECT city.name AS city, count(*) AS count, avg(main.temp) AS mean_temp, max(wind.speed) AS max_wind "
                f"FROM {nested} GROUP BY ALL", "csv"),
            "W4": copy(f"SELECT * FROM read_csv('{data}/readings.csv')", "json"),
            "W5": copy(
                "SELECT r.city, r.country, c.region, c.population, r.day, r.temp FROM (SELECT DISTINCT ON (city, day) "
                "city.name AS city, city.country AS country, main.temp AS temp, dt, to_timestamp(dt)::DATE AS day "
                f"FROM {nested} ORDER BY city, day, dt) r JOIN read_csv('{data}/cities.csv') c USING (city)", "csv"),
        },
    )


def miller(data, out):
    """Miller."""
    version = first_line(["mlr", "--version"])
    if not version:
        return None
    nested = shlex.quote(f"{data}/readings.ndjson")
    fields = ",".join(b.replace(".0.", ".1.") for _, b in W1_FIELDS)
    names = ",".join(f"{b.replace('.0.', '.1.')},{a}" for a, b in W1_FIELDS if a != b)
    read = "mlr --ijsonl --ocsv"
    return Program(
        "mlr", version,
        {
            "W1": shell(f"{read} flatten then cut -o -f {fields} then rename {names} {nested} > {out}.csv"),
            "W2": shell(
                f"{read} flatten then filter '${{main.temp}} > 20' then cut -o -f main.temp,city.name,city.country,"
                f"main.humidity,dt then rename main.temp,temp,city.name,city,city.country,country,main.humidity,humidity "
                f"then sort -nr temp {nested} > {out}.csv"),
            "W3": shell(
                f"{read} flatten then stats1 -a count,mean,max -f main.temp,wind.speed -g city.name then cut -o -f "
                f"city.name,main.temp_count,main.temp_mean,wind.speed_max {nested} > {out}.csv"),
            "W4": shell(f"mlr --icsv --ojsonl cat {shlex.quote(data + '/readings.csv')} > {out}.ndjson"),
            "W5": shell(
                f"{read} flatten then cut -o -f city.name,city.country,main.temp,dt then rename city.name,city,"
                "city.country,country,main.temp,temp then put '$day = sec2gmtdate($dt)' then head -n 1 -g city,day "
                f"then join -i csv -j city -f {shlex.quote(data + '/cities.csv')} "
                f"then cut -o -f city,country,region,population,day,temp {nested} > {out}.csv"),
        },
    )


def jq(data, out):
    """jq, with sort and awk for what it does not do in bounded memory; it writes no header."""
    version = first_line(["jq", "--version"])
    if not version:
        return None
    nested = shlex.quote(f"{data}/readings.ndjson")
    return Program(
        "jq", version,
        {
            "W1": shell(
                "jq -r '[.city.name, .city.country, .main.temp, .main.humidity, .main.pressure, .wind.speed, "
                f".weather[0].description, .dt] | @csv' {nested} > {out}.csv"),
            "W2": shell(
                "jq -r 'select(.main.temp > 20) | [.main.temp, .city.name, .city.country, .main.humidity, .dt] | @csv' "
                f"{nested} | sort -t, -k1,1gr > {out}.csv"),
            "W3": shell(
                f"jq -r '[.city.name, .main.temp, .wind.speed] | @tsv' {nested} | awk -F '\\t' -v OFS=, '{{ n[$1]++; t[$1] += $2; "
                "if (!($1 in w) || $3 > w[$1]) w[$1] = $3 } "
                f"END {{ for (c in n) print c, n[c], t[c] / n[c], w[c] }}' > {out}.csv"),
            "W5": shell(
                f"jq -r '[.city.name, .city.country, .main.temp, (.dt | todate[:10])] | @tsv' {nested} | "
                "awk -F '\\t' -v OFS=, 'NR == FNR { split($0, c, OFS); r[c[1]] = c[2] OFS c[3]; next } !(($1, $4) in seen) { seen[$1, $4]; if ($1 in r) "
                f"print $1, $2, r[$1], $4, $3 }}' {shlex.quote(data + '/cities.csv')} - > {out}.csv"),
        },
    )


def polars(data, out):
    """Polars, through Python."""
    python = os.environ.get("POLARS_PYTHON") or "python3"
    version = first_line([python, "-c", "import polars; print('polars', polars.__version__)"])
    if not version:
        return None
    scan = f"import polars as pl\nc = pl.col\nf = lambda a, b: c(a).struct.field(b)\nr = pl.scan_ndjson('{data}/readings.ndjson')\n"
    head = "f('city', 'name').alias('city'), f('city', 'country').alias('country'), f('main', 'temp').alias('temp')"
    return Program(
        "polars", version,
        {
            "W1": [
                python, "-c", scan + f"r.select({head}, f('main', 'humidity'), f('main', 'pressure'), f('wind', 'speed')"
                ".alias('wind_speed'), c('weather').list.first().struct.field('description'), c('dt'))"
                f".collect().write_csv('{out}.csv')"],
            "W2": [
                python, "-c", scan + "r.filter(f('main', 'temp') > 20).select(f('main', 'temp'), f('city', 'name').alias('city'), "
                "f('city', 'country'), f('main', 'humidity'), c('dt'))"
                f".sort('temp', descending=True).collect().write_csv('{out}.csv')"],
            "W3": [
                python, "-c", scan + "r.select(f('city', 'name').alias('city'), f('main', 'temp'), f('wind', 'speed'))"
                ".group_by('city').agg(pl.len().alias('count'), c('temp').mean().alias('mean_temp'), "
                f"c('speed').max().alias('max_wind')).collect().write_csv('{out}.csv')"],
            "W5": [
                python, "-c", scan + f"s = r.select({head}, c('dt')).with_columns(pl.from_epoch('dt').dt.date().alias('day'))"
                ".unique(['city', 'day'], keep='first', maintain_order=True)\n"
                f"s.join(pl.scan_csv('{data}/cities.csv'), on='city').select('city', 'country', 'region', 'population', "
                f"'day', 'temp').collect().write_csv('{out}.csv')"],
            "W4": [
                python, "-c", f"import polars as pl\npl.scan_csv('{data}/readings.csv').collect().write_ndjson('{out}.ndjson')"],
        },
    )


def csvkit(data, out):
    """csvkit, for CSV to NDJSON."""
    version = first_line(["csvjson", "--version"])
    if not version:
        return None
    source = shlex.quote(f"{data}/readings.csv")
    return Program("csvkit", version, {"W4": shell(f"csvjson --stream {source} > {out}.ndjson")})


def programs(binary, data, out):
    """All programs that are there, this one first; each writes to files of its own."""
    found = [aggregate(binary, data, f"{out}/aggregate")]
    for make in (duckdb, polars, miller, jq, csvkit):
        program = make(data, f"{out}/{make.__name__}")
        if program:
            found.append(program)
    return found
