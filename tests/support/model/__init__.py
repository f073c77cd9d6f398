"""A scripted language model on loopback, in the dialects that agent programs speak."""

from tests.support.model.script import Call, Cast, Code, Fail, Hold, Say, Script
from tests.support.model.server import Model

__all__ = ["Call", "Cast", "Code", "Fail", "Hold", "Model", "Say", "Script"]
