"""The compose file: what an operator starts is what the documents promise."""

from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[1]


class Strict(yaml.SafeLoader):
    """Refuses a key that stands twice, as compose does; PyYAML itself takes the last."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """The mapping of a node whose keys are all different."""
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        assert len(set(keys)) == len(keys), f"a key stands twice: {keys}"
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


def test_only_the_proxy_is_reached_from_outside(services: dict[str, dict[str, Any]]) -> None:
    assert [name for name, service in services.items() if "ports" in service] == ["proxy"]
