"""Reads documents, so many at a time, with aiohttp and orjson: BASE/detail/N.json; prints CSV."""

import asyncio
import csv
import sys

import aiohttp
import orjson


async def main(base, count, width):
    out = csv.writer(sys.stdout)
    out.writerow(["id", "name", "height", "weight"])
    gate = asyncio.Semaphore(width)
    async with aiohttp.ClientSession() as session:

        async def document(number):
            async with gate, session.get(f"{base}/detail/{number}.json") as answer:
                return orjson.loads(await answer.read())

        for row in await asyncio.gather(*(document(number) for number in range(1, count + 1))):
            out.writerow([row["id"], row["name"], row["height"], row["weight"]])


asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
