"""What every model of the API has in common."""

from pydantic import BaseModel, ConfigDict


class Documented(BaseModel):
    """A model whose attributes' docstrings are their descriptions in /openapi.json."""

    model_config = ConfigDict(use_attribute_docstrings=True)
