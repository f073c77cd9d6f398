"""Outside systems, each behind one small package that knows nothing of ADE's models."""
