"""Reads values from /metrics."""

import re

import httpx
from fastapi.testclient import TestClient


def figure(operator: httpx.Client | TestClient, name: str, **labels: object) -> float:
    """The value of a metric, 0 if it is missing."""
    for line in operator.get("/metrics").text.splitlines():
        found = re.fullmatch(r"(\w+)(?:\{(.*)\})? (\S+)", line)
        if found and found[1] == name:
            pairs = dict(re.findall(r'(\w+)="([^"]*)"', found[2] or ""))
            if pairs == {key: str(value) for key, value in labels.items()}:
                return float(found[3])
    return 0.0
