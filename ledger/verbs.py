"""Verbs: the actions on official data, each declared once on its service.

A service that changes official data is a verb::

    @verb("rounds_clock", Round, "rounds.manage", done=_("The clock was changed."))
    def set_clock(
        *, round_id: uuid.UUID, minutes: Annotated[int, Between(0, 600)], actor: Actor
    ) -> Round:
        \"\"\"Set how many minutes are left on the clock of a round.\"\"\"

A verb runs as one change (:func:`ledger.change.change`) and remains a plain function for other callers.
Its name, permission, arguments and responses are read once, at import, into a :class:`Verb`. The API
operation with its schema, the row in the permissions page and the buttons on pages follow from it.
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, dataclass, fields
from functools import wraps
from importlib import import_module
from pkgutil import iter_modules
from types import NoneType, UnionType
from typing import Any, Final, ParamSpec, TypeVar

from django.db.models import Model
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from .change import change
from .errors import Refused

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Between:
    """The least and the most that a whole number may be; ``Annotated[int, Between(0, 600)]``."""

    least: int
    most: int

    @property
    def limits(self) -> dict[str, int]:
        """The bounds as the fields of forms and programs call them."""
        return {"min_value": self.least, "max_value": self.most}

    def require(self, name: str, value: object) -> None:
        """Refuse what is no number within the bounds (``<name>_out_of_range``)."""
        if not isinstance(value, int) or not self.least <= value <= self.most:
            raise Refused(
                f"{name}_out_of_range",
                _("Give a number from %(least)s to %(most)s."),
                field=name,
                params={"least": self.least, "most": self.most},
            )


@dataclass(frozen=True, slots=True)
class Longest:
    """The most characters that a text may have; ``Annotated[str, Longest(300)]``."""

    most: int

    @property
    def limits(self) -> dict[str, int]:
        """The bound as the fields of forms and programs call it."""
        return {"max_length": self.most}

    def require(self, name: str, value: object) -> None:
        """Refuse a longer text (``<name>_too_long``)."""
        if len(str(value)) > self.most:
            raise Refused(
                f"{name}_too_long",
                _("At most %(most)d characters."),
                field=name,
                params={"most": self.most},
            )


@dataclass(frozen=True, slots=True)
class Says:
    """Help text of an argument in the API schema: ``Annotated[str, Says("Why.")]``."""

    text: str


@dataclass(frozen=True, slots=True)
class Inner:
    """An argument for other services alone: no form and no program gives it."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Mark of a dataclass argument whose fields become separate arguments of the request."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Mark of an argument that receives the whole body: values of columns by name."""


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a verb, besides its row and its actor."""

    name: str
    type: Any
    """The annotated type without its marks."""
    default: object = inspect.Parameter.empty
    bounds: Between | Longest | None = None
    help: str = ""
    parts: tuple[Argument, ...] = ()
    """Fields of a spread argument."""
    columns: bool = False
    """Whether it is given the whole body."""

    @property
    def required(self) -> bool:
        """Whether it has no default."""
        return self.default is inspect.Parameter.empty


@dataclass(frozen=True, slots=True)
class Verb:
    """A service as it describes itself."""

    name: str
    """The operation of the API, ``<group>_<word>``."""
    act: Callable[..., Any]
    of: type[Model]
    """Of which model the row is that it acts on, or that it makes."""
    key: str
    """The argument that is given the key of that row; empty for one that makes it."""
    needs: str
    """The capability that it takes (:data:`accounts.roles.CAPABILITIES`); empty: the link of a table."""
    says: str
    """The text of the service, in English."""
    takes: tuple[Argument, ...]
    answers: tuple[tuple[Any, int], ...]
    """What the API may answer, each with its status."""
    by: bool
    """Whether it takes the caller (``actor``)."""
    shows_row: bool
    """The API answers the row as it then is, not what the service returns."""
    at: str
    """Where the operation is, below its row; what it names in ``<>`` are arguments."""
    method: str
    """The HTTP method of the operation."""
    columns: str
    """The argument that is given the whole body (:class:`Columns`); empty: each has a field."""
    done: Promise | str = ""
    """What a page says afterwards."""
    by_link: bool = False
    """Whether the holder of a table's link may do it at that table."""


VERBS: Final[dict[str, Verb]] = {}
"""Every verb by its name, in the order in which the services were read."""


def verb(
    name: str,
    of: type[Model],
    needs: str,
    *,
    at: str | None = None,
    key: str = "",
    done: Promise | str = "",
    statuses: Mapping[type, int] | None = None,
    shows_row: bool = False,
    changes: bool = True,
    method: str = "POST",
    by_link: bool = False,
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Make a service a verb.

    ``key``: the argument that names the row; ``<model>_id`` unless given, and a service without it
    makes a row. ``at``: the end of its address; the second half of the name unless given.
    ``statuses``: of what it returns, where that is not 200. ``shows_row``: the API answers the row
    afterwards, whatever the service returns. ``changes``: false for one that only reckons.
    ``by_link``: the holder of a table's link may do it at that table.
    A service with ``**`` arguments has a body of its own in the API.
    """

    def decorate(service: Callable[P, R]) -> Callable[P, R]:
        takes, returns = _signature(service)
        names = {each.name for each in takes}
        row = key or f"{of._meta.model_name}_id"
        row = row if key or row in names else ""
        bounded = [(each, each.bounds) for each in takes if each.bounds is not None]

        @wraps(service)
        def checked(*args: P.args, **kwargs: P.kwargs) -> R:
            for argument, bounds in bounded:
                given = kwargs.get(argument.name, argument.default)
                if given is not argument.default:
                    bounds.require(argument.name, given)
            return service(*args, **kwargs)

        act = change()(checked) if changes else checked
        word = name.partition("_")[2]
        if name in VERBS or not word or not {row} - {""} <= names:
            raise TypeError(f"{service.__qualname__} is no verb {name} of {row}")
        VERBS[name] = Verb(
            name,
            act,
            of,
            row,
            needs,
            _says(service),
            tuple(each for each in takes if each.name not in (row, "actor") and not each.columns),
            tuple(
                (kind, (statuses or {}).get(kind, 204 if kind is NoneType else 200))
                for kind in ([of] if shows_row else returns)
            ),
            "actor" in names,
            shows_row,
            f"{word}/" if at is None else at,
            method,
            next((each.name for each in takes if each.columns), ""),
            done,
            by_link,
        )
        return act

    return decorate


def read_services(package: str) -> None:
    """Import every module of a package of services, so that their verbs are known."""
    for module in iter_modules(import_module(package).__path__, f"{package}."):
        import_module(module.name)


def verb_of(service: Callable[..., object]) -> Verb:
    """Return the verb of a decorated service."""
    return next(each for each in VERBS.values() if each.act is service)


def _says(service: Callable[..., object]) -> str:
    """Return a service's docstring as one line, without its ``Raises`` paragraphs."""
    paragraphs = (inspect.getdoc(service) or "").split("\n\n")
    return " ".join(" ".join(each.split()) for each in paragraphs if not each.startswith("Raises "))


def _signature(service: Callable[..., Any]) -> tuple[list[Argument], list[Any]]:
    """Return the arguments of a service and its possible return types."""
    hints = typing.get_type_hints(service, include_extras=True)
    takes = []
    for name, parameter in inspect.signature(service).parameters.items():
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            continue
        if parameter.kind is not inspect.Parameter.KEYWORD_ONLY:
            raise TypeError(f"{service.__qualname__}: {name} must be given by its name")
        argument = _argument(name, hints[name], parameter.default)
        if argument is not None:
            takes.append(argument)
    returned = hints["return"]
    several = typing.get_origin(returned) in (typing.Union, UnionType)
    return takes, list(typing.get_args(returned)) if several else [returned]


def _argument(name: str, hint: Any, default: Any) -> Argument | None:
    """Return one argument with its marks; ``None`` for an argument reserved for other services."""
    kind, *marks = typing.get_args(hint) if _is_marked(hint) else [hint]
    if any(isinstance(mark, Inner) for mark in marks):
        return None
    bounds = next((mark for mark in marks if isinstance(mark, Between | Longest)), None)
    text = next((mark.text for mark in marks if isinstance(mark, Says)), "")
    parts: tuple[Argument, ...] = ()
    if any(isinstance(mark, Spread) for mark in marks):
        hints = typing.get_type_hints(kind, include_extras=True)
        parts = tuple(
            argument
            for each in fields(kind)
            if (argument := _argument(each.name, hints[each.name], _default(each))) is not None
        )
    columns = any(isinstance(mark, Columns) for mark in marks)
    return Argument(name, kind, default, bounds, text, parts, columns)


def _default(field: Field[object]) -> object:
    if field.default_factory is not MISSING:
        return field.default_factory()
    return inspect.Parameter.empty if field.default is MISSING else field.default


def _is_marked(kind: object) -> bool:
    return typing.get_origin(kind) is typing.Annotated
