"""What ADE is measured against; ``benchmarks/.peers`` holds what had to be fetched."""
