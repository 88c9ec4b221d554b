"""The compose file and the image match the documentation."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[1]


class Strict(yaml.SafeLoader):
    """Rejects duplicate keys, as compose does; PyYAML itself takes the last."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """Return the mapping of a node; fail on duplicate keys."""
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        assert len(set(keys)) == len(keys), f"duplicate key: {keys}"
        return super().construct_mapping(node, deep)


@pytest.fixture(scope="module")
def services() -> dict[str, dict[str, Any]]:
    loaded: dict[str, dict[str, Any]] = Strict((ROOT / "compose.yaml").read_text()).get_single_data()[
        "services"
    ]
    return loaded


def test_the_workers_run_with_nothing_they_do_not_need(services: dict[str, dict[str, Any]]) -> None:
    web = services["web"]
    assert web["read_only"] is True
    assert web["cap_drop"] == ["ALL"]
    assert all("no-new-privileges:true" in service["security_opt"] for service in services.values())


def test_what_an_operator_sets_in_the_file_reaches_the_workers(services: dict[str, dict[str, Any]]) -> None:
    web = services["web"]
    assert web["env_file"] == [{"path": ".env", "required": False}]
    assert "WIBBLE_ADMIN_TOKEN" not in web["environment"], "that would come before the file"


def test_only_the_proxy_is_reached_from_outside(services: dict[str, dict[str, Any]]) -> None:
    assert [name for name, service in services.items() if "ports" in service] == ["proxy"]


def test_every_image_is_pinned_by_tag_and_digest(services: dict[str, dict[str, Any]]) -> None:
    bases = re.findall(r"^FROM (\S+)", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    images = [service["image"] for service in services.values() if "image" in service]
    assert len(bases) == 2
    assert len(set(bases)) == 1
    assert len(images) == len(services) - 1  # our own is built
    for image in (*bases, *images):
        assert re.fullmatch(r"[a-z]+:[\w.-]+@sha256:[0-9a-f]{64}", image), image


def test_every_service_has_a_limit_of_memory(services: dict[str, dict[str, Any]]) -> None:
    for name, service in services.items():
        assert re.fullmatch(r"\d+m", service["mem_limit"]), name


def test_there_is_no_password_by_default() -> None:
    mentions = re.findall(r"\$\{?POSTGRES_PASSWORD[^}]*\}?", (ROOT / "compose.yaml").read_text())
    required = [mention for mention in mentions if mention.startswith("${")]
    assert len(required) == 2
    assert all(mention.startswith("${POSTGRES_PASSWORD:?") for mention in required)


def test_the_image_installs_only_files_whose_hashes_are_pinned() -> None:
    installs = re.findall(r"pip install (.*)", (ROOT / "Dockerfile").read_text())
    assert installs == [
        "--require-hashes --only-binary :all: --requirement requirements.txt",
        "--no-deps --no-build-isolation .",
    ]
