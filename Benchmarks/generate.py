#!/usr/bin/env python3
"""Writes the data of the benchmarks: the same bytes for the same number of rows, wherever it runs.

readings.ndjson  nested weather readings, one object per line
readings.csv     the same readings with eight flat columns
cities.csv       what is known of each city
"""

import argparse
import csv
import json
import os
import random

CONSONANTS = ["b", "br", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "st", "t", "v", "z"]
VOWELS = ["a", "e", "i", "o", "u", "ai", "ou", "ö", "é"]
ENDINGS = ["burg", "ford", "ville", "stad", "wick", " Falls", " Bay", "mouth", "grad", "pur"]
COUNTRIES = ["AR", "BR", "CA", "CN", "DE", "EG", "ES", "FR", "GR", "ID", "IN", "IT", "JP", "KE", "MX", "NG", "NO", "PL", "US", "ZA"]
REGIONS = ["Africa", "Americas", "Asia", "Europe", "Oceania"]
SKIES = [
    (800, "Clear", "clear sky", "01d"),
    (801, "Clouds", "few clouds", "02d"),
    (804, "Clouds", "overcast clouds", "04d"),
    (500, "Rain", "light rain", "10d"),
    (502, "Rain", "heavy rain, at times", "10d"),
    (600, "Snow", "light snow", "13d"),
    (701, "Mist", 'mist, called "haar" here', "50d"),
]
FIRST = 1704067200
YEAR = 366 * 86400


def cities(count, chance):
    """Distinct names with a country, a place and a climate."""
    found = {}
    while len(found) < count:
        syllables = chance.randint(1, 3)
        name = "".join(chance.choice(CONSONANTS) + chance.choice(VOWELS) for _ in range(syllables))
        name = name.capitalize() + chance.choice(ENDINGS)
        if name in found:
            continue
        found[name] = {
            "id": 100_000 + len(found),
            "country": chance.choice(COUNTRIES),
            "lat": round(chance.uniform(-60, 70), 4),
            "lon": round(chance.uniform(-180, 180), 4),
            "mean": chance.uniform(-2, 28),
        }
    return list(found.items())


def number(value):
    """The shortest text, so that whole numbers have no fraction, as APIs write them."""
    return int(value) if value == int(value) else value


def readings(rows, towns, chance):
    """One reading after the other, in the order of time."""
    for row in range(rows):
        name, town = towns[chance.randrange(len(towns))]
        temp = round(town["mean"] + chance.gauss(0, 7), 2)
        sky = SKIES[chance.randrange(len(SKIES))]
        yield name, town, {
            "dt": FIRST + row * YEAR // rows,
            "temp": number(temp),
            "feels": number(round(temp + chance.uniform(-3, 1), 2)),
            "pressure": chance.randint(960, 1045),
            "humidity": chance.randint(10, 100),
            "speed": number(round(abs(chance.gauss(4, 3)), 2)),
            "degrees": chance.randrange(360),
            "clouds": chance.randrange(101),
            "sky": sky,
        }


def nested(name, town, reading):
    """A reading as an API would answer it."""
    sky = reading["sky"]
    return {
        "dt": reading["dt"],
        "city": {
            "id": town["id"],
            "name": name,
            "country": town["country"],
            "coord": {"lat": town["lat"], "lon": town["lon"]},
        },
        "main": {
            "temp": reading["temp"],
            "feels_like": reading["feels"],
            "pressure": reading["pressure"],
            "humidity": reading["humidity"],
        },
        "wind": {"speed": reading["speed"], "deg": reading["degrees"]},
        "weather": [{"id": sky[0], "main": sky[1], "description": sky[2], "icon": sky[3]}],
        "clouds": {"all": reading["clouds"]},
        "visibility": 10_000,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dir", required=True, help="where the files go")
    parser.add_argument("--rows", type=int, default=2_000_000)
    parser.add_argument("--cities", type=int, default=2_000)
    options = parser.parse_args()

    os.makedirs(options.dir, exist_ok=True)
    chance = random.Random(20_240_101)
    towns = cities(options.cities, chance)
    path = lambda name: os.path.join(options.dir, name)
    with open(path("cities.csv"), "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["city", "region", "population", "tz"])
        for name, _ in towns:
            out.writerow([name, chance.choice(REGIONS), chance.randint(800, 9_000_000), chance.randint(-11, 12)])

    encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
    with open(path("readings.ndjson"), "w", encoding="utf-8") as lines, open(
        path("readings.csv"), "w", newline="", encoding="utf-8"
    ) as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["city", "country", "temp", "humidity", "pressure", "wind_speed", "description", "dt"])
        for name, town, reading in readings(options.rows, towns, chance):
            lines.write(encode(nested(name, town, reading)))
            lines.write("\n")
            out.writerow(
                [
                    name, town["country"], reading["temp"], reading["humidity"], reading["pressure"],
                    reading["speed"], reading["sky"][2], reading["dt"],
                ]
            )


if __name__ == "__main__":
    main()
