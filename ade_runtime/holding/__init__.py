"""The holder: a small program that keeps one command and its output alive, whatever becomes of the runtime.

Standard library only, and of that as little as possible: one of these runs for every terminal, process and test run. It owns
the pseudo-terminal or pipe, writes what comes out of it into files of bounded size, and answers on a socket of its own.
"""
