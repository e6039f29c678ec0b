"""What can go wrong, as exceptions. The text is what Warpwise found; `code` is what `warpwise explain` explains."""

from __future__ import annotations


class WarpwiseError(Exception):
    """Any failure that Warpwise reports."""

    def __init__(self, message: str, code: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.code = code

    def __str__(self) -> str:
        return f"{self.code}: {self.message}" if self.code else self.message


class SetupError(WarpwiseError):
    """A part of Warpwise is missing, or an option is wrong."""


class CompileError(WarpwiseError):
    """The compiler refused a source; its messages are in the text."""


class KernelError(WarpwiseError):
    """A kernel, or the call that launched it, did something wrong. The next call finds a GPU as new."""


class Interrupted(KernelError):
    """^C ended a kernel."""


class ArgumentError(WarpwiseError, TypeError):
    """An argument does not fit the parameter that it is for."""


def from_code(code: str, message: str) -> WarpwiseError:
    """The exception for an error of the C interface."""
    if code == "U0031":
        return Interrupted(message, code)
    if code.startswith("cuda") or code.startswith("R"):
        return KernelError(message, code)
    if code.startswith("T"):
        return CompileError(message, code)
    return SetupError(message, code)
