"""Handler protocols, one a domain, and the module that makes a type checker prove they are met."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath

from codegen import cache, ir
from codegen.modelgen.classes import PACKAGE, input_class, output_class
from codegen.naming import class_name, method_name, module_name
from codegen.plan import PlannedFile
from codegen.templating import render

FOLDER = PurePosixPath("ade_generated/protocols")


def emit(specs: ir.Specs) -> Iterable[PlannedFile]:
    doc = "What the handlers of each domain must offer."
    yield PlannedFile(FOLDER / "__init__.py", render("python/package.py.jinja", doc=doc), ())
    for domain in specs.domains:
        yield cache.of_domain(FOLDER / f"{module_name(domain.name)}.py", domain, specs, _protocol)
    domains = [
        {
            "module": module_name(domain.name),
            "protocol": class_name(domain.name, "protocol"),
            "handlers": class_name(domain.name, "handlers"),
        }
        for domain in specs.domains
    ]
    sources = tuple(domain.file for domain in specs.domains)
    content = render("python/bindings.py.jinja", domains=domains)
    yield PlannedFile(PurePosixPath("ade_generated/bindings.py"), content, sources)


def _protocol(domain: ir.Domain, specs: ir.Specs) -> str:
    imports: dict[str, set[str]] = {"ade_runtime.pipeline.call": {"Call"}}
    methods = []
    for action in domain.actions:
        module, output = output_class(action)
        imports.setdefault(f"{PACKAGE}.{module}", set()).add(output)
        imports.setdefault(f"{PACKAGE}.{module_name(domain.name)}", set()).add(input_class(action))
        methods.append(
            {
                "name": method_name(action.name),
                "input": input_class(action),
                "output": output,
                "summary": action.summary,
            }
        )
    return render(
        "python/protocol.py.jinja",
        domain=domain,
        imports={module: sorted(names) for module, names in sorted(imports.items())},
        methods=methods,
        **{"class": class_name(domain.name, "protocol")},
    )
