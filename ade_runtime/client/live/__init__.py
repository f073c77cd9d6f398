"""What commands share that stay on a terminal and show what comes: keys, the link to the runtime, the loop, lines that fit."""
