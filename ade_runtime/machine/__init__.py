"""The machine the runtime lives on: paths, locks between processes, the doctor."""
