"""One run of datamodel-code-generator; as a program, over what standard input brings, with the source on standard output.

Nothing else of the generator is imported here: that would be done before the first byte is read.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

from datamodel_code_generator import GenerateConfig, InputFileType, LiteralType, PythonVersion, generate
from datamodel_code_generator.enums import DataModelType


def run(given: Mapping[str, Any]) -> str:
    """The Python source of ``document``; ``aliases`` are the names of fields that Python cannot have. It is formatted once, for
    all products, by ruff.
    """
    config = GenerateConfig(
        input_file_type=InputFileType.JsonSchema,
        output_model_type=DataModelType.PydanticV2BaseModel,
        target_python_version=PythonVersion.PY_311,
        base_class="ade_runtime.wire.WireModel",
        aliases=given["aliases"],
        formatters=[],
        disable_timestamp=True,
        enum_field_as_literal=LiteralType.All,
        field_constraints=True,
        keep_model_order=True,
        skip_root_model=True,
        strict_nullable=True,
        use_annotated=True,
        use_double_quotes=True,
        use_field_description=True,
        use_schema_description=True,
    )
    written = generate(given["document"], config=config)
    if not isinstance(written, str):
        raise TypeError("datamodel-code-generator wrote several modules where one was asked for")
    return written


if __name__ == "__main__":
    try:
        source = run(json.load(sys.stdin))
    except Exception as problem:
        sys.exit(str(problem))
    sys.stdout.write(source)
