"""Names read by templates, found in their nodes without rendering, and checked against the types of their page.

A page declares the types of its context (:class:`accounts.pages.Page`). The walk follows a name through attributes,
loops, ``with``, ``as``, included and extended templates as far as types are declared, and ends at ``Any`` or
``object``. The optional names of a part are listed in ``optional_names.txt``, a template and a name a line.
"""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
import types
import typing
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

from django import forms
from django.core.paginator import Page as Pages
from django.db import models
from django.http import QueryDict
from django.template import Engine, base, loader_tags
from django.template.base import FilterExpression, NodeList, Variable
from django.template.defaulttags import TemplateLiteral
from django.template.smartif import TokenBase

from accounts.pages import Page

TEMPLATES: Final = Path(__file__).parents[1] / "templates"
OPTIONAL: Final = frozenset(
    tuple(line.split())
    for line in (Path(__file__).parent / "optional_names.txt").read_text().splitlines()
)
ENGINE: Final = Engine.get_default()
CONSTANTS: Final = {"True": bool, "False": bool, "None": None}
Scope = dict[str, Any]


class Missing(Exception):
    """Raised for an attribute that a type does not have."""


# Types ------------------------------------------------------------------------------------------


def parts_of(kind: Any) -> list[Any]:
    """Return the members of a union except ``None``, without type qualifiers."""
    if kind is None or kind is type(None):
        return []
    if isinstance(kind, typing.TypeVar | str):
        return [Any]
    if isinstance(kind, typing.NewType):
        return parts_of(kind.__supertype__)
    origin, inside = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return [each for one in inside for each in parts_of(one)]
    if origin in (typing.Annotated, typing.Final, typing.ClassVar, typing.NotRequired):
        return parts_of(inside[0])
    if origin is typing.Literal:
        return [type(inside[0])]
    return [kind]


def union(kinds: Iterable[Any]) -> Any:
    """Return the union of several types."""
    listed = [each for kind in kinds for each in parts_of(kind)]
    return typing.Union[tuple(listed)] if listed else Any  # noqa: UP007


def read(annotation: Any, owner: Any) -> Any:
    """Return an annotation as a type; ``Any`` for a name that exists only for type checkers."""
    if isinstance(annotation, typing.ForwardRef):
        annotation = annotation.__forward_arg__
    if not isinstance(annotation, str):
        return annotation
    names = vars(sys.modules[owner.__module__])
    with ExitStack() as stack:
        for generic in (models.QuerySet, models.Manager, Pages):
            alias = classmethod(types.GenericAlias)
            stack.enter_context(patch.object(generic, "__class_getitem__", alias, create=True))
        try:
            return eval(annotation, names, dict(vars(typing)))
        except TypeError:  # the stubs make a class generic that is not
            return Any


@cache
def annotated(kind: type) -> dict[str, Any]:
    """Return the annotated attributes of a class."""
    return {
        name: read(annotation, owner)
        for owner in reversed(kind.__mro__)
        for name, annotation in inspect.get_annotations(owner).items()
    }


@cache
def assigned(kind: type) -> frozenset[str]:
    """Return the attributes that the methods of a class assign, and the names of its form fields."""
    names = set()
    for owner in kind.__mro__:
        try:
            source = inspect.getsource(owner)
        except (OSError, TypeError):  # made at run time, or no Python
            continue
        for node in ast.walk(ast.parse(textwrap.dedent(source))):
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                names.add(node.attr)
            if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
                names.add(str(node.slice.value))
    return frozenset(names)


def returned(function: Any) -> Any:
    """Return the type of a function's result when a template calls it."""
    return read(getattr(function, "__annotations__", {}).get("return", Any), function)


def attribute(kind: Any, name: str) -> Any:
    """Return the type of ``kind``'s attribute, item or index, as a template looks it up."""
    parts = parts_of(kind)
    if not parts:
        return Any
    found = []
    for part in parts:
        value = _attribute(part, name)
        called = typing.get_origin(value) is Callable
        found.append(typing.get_args(value)[-1] if called else value)
    return union(found)


def _attribute(kind: Any, name: str) -> Any:
    origin, inside = typing.get_origin(kind) or kind, typing.get_args(kind)
    if origin in (Any, object) or not isinstance(origin, type):
        return Any
    if typing.is_typeddict(origin):
        known = annotated(origin)
        if name in known:
            return known[name]
        inside = (str, union(known.values()))
    elif issubclass(origin, QueryDict):
        return str
    if issubclass(origin, Mapping) or typing.is_typeddict(origin):
        key, value = inside or (Any, Any)
        views = {"items": types.GenericAlias(tuple, (key, value)), "keys": key, "values": value}
        if name in views:
            return types.GenericAlias(list, (views[name],))
        if typing.is_typeddict(origin):
            raise Missing
        return value
    if name.isdigit():
        return _at(kind, origin, inside, int(name))
    if issubclass(origin, forms.BaseForm):
        if origin.__module__.startswith("django"):
            return Any
        if name in origin.base_fields or name in assigned(origin):  # type: ignore[attr-defined]
            return Any
    if issubclass(origin, models.Model):
        known = {each.name: each for each in origin._meta.get_fields(include_hidden=True)}
        if name in known and known[name].concrete:
            return known[name].related_model if known[name].is_relation else Any
    known = annotated(origin)
    if name in known:
        return known[name]
    try:
        value = inspect.getattr_static(origin, name)
    except AttributeError:
        if name in assigned(origin):
            return Any
        raise Missing from None
    if isinstance(value, property):
        return returned(value.fget)
    if isinstance(value, cached_property):
        return returned(value.func)
    if isinstance(value, types.FunctionType):
        wanted = list(inspect.signature(value).parameters.values())[1:]
        if any(each.default is each.empty and each.kind < 2 for each in wanted):
            raise Missing
        if issubclass(origin, models.QuerySet | models.Manager) and name == "first":
            return inside[0] if inside else Any
        return returned(value)
    return Any


def _at(kind: Any, origin: type, inside: tuple[Any, ...], index: int) -> Any:
    if issubclass(origin, tuple):
        within = unpacked(kind, index + 1, exactly=False)
        return within[index]
    if issubclass(origin, Collection | models.QuerySet):
        return inside[0] if inside else Any
    raise Missing


def element(kind: Any) -> Any:
    """Return the type of the items of a loop over ``kind``."""
    return union(_element(part) for part in parts_of(kind))


def _element(kind: Any) -> Any:
    origin, inside = typing.get_origin(kind) or kind, typing.get_args(kind)
    if origin in (Any, object) or not isinstance(origin, type):
        return Any
    if issubclass(origin, tuple) and inside and inside[-1] is not Ellipsis:
        return union(inside)
    if issubclass(origin, Iterable | models.QuerySet | Pages):
        return inside[0] if inside else str if origin is str else Any
    if hasattr(origin, "__iter__") or hasattr(origin, "__getitem__"):
        return Any
    raise Missing


def unpacked(kind: Any, count: int, *, exactly: bool = True) -> list[Any]:
    """Return the types of the ``count`` parts of a row."""
    rows = []
    for part in parts_of(kind):
        origin, inside = typing.get_origin(part) or part, typing.get_args(part)
        if isinstance(origin, type) and issubclass(origin, tuple) and hasattr(origin, "_fields"):
            inside = tuple(annotated(origin)[name] for name in origin._fields)
        elif not (isinstance(origin, type) and issubclass(origin, tuple)) or not inside:
            inside = (Any,) * count
        elif inside[-1] is Ellipsis:
            inside = inside[:1] * count
        if len(inside) < count or (exactly and len(inside) != count):
            raise Missing
        rows.append(inside[:count])
    return [union(column) for column in zip(*rows, strict=True)] or [Any] * count


# Templates --------------------------------------------------------------------------------------


class Reading:
    """A walk over the templates of one page."""

    def __init__(self) -> None:
        self.problems: set[tuple[str, str]] = set()
        self.read: set[str] = set()
        self.used: set[tuple[str, ...]] = set()
        self.names: set[str] = set()
        self.template = ""
        self.blocks: dict[str, list[tuple[loader_tags.BlockNode, str]]] = {}

    def show(self, name: str, scope: Scope) -> None:
        """Read a template; names that it sets are removed afterwards."""
        self.read.add(name)
        within, self.template = self.template, name
        if not within:
            self.blocks = {}
        self.nodes(ENGINE.get_template(name).nodelist, dict(scope))
        self.template = within

    def nodes(self, nodes: Iterable[base.Node], scope: Scope) -> None:
        for node in nodes:
            self.node(node, scope)

    def node(self, node: base.Node, scope: Scope) -> None:
        """Read one node by its kind: its expressions first, then its content."""
        special = getattr(self, f"_{type(node).__name__}", None)
        if special is not None:
            special(node, scope)
            return
        # Any other tag: its expressions, the names that it sets, and its content.
        for value in vars(node).values():
            self.any(value, scope)
        for name in ("asvar", "target_var", "variable", "varname"):
            if isinstance(named := getattr(node, name, None), str):
                scope[named] = returned(node.func) if hasattr(node, "func") else Any

    def any(self, value: object, scope: Scope) -> None:
        """Walk any value of a node."""
        if isinstance(value, FilterExpression):
            self.expression(value, scope)
        elif isinstance(value, TemplateLiteral):
            self.expression(value.value, scope)
        elif isinstance(value, TokenBase):
            self.any(value.first, scope)
            self.any(value.second, scope)
        elif isinstance(value, NodeList):
            self.nodes(value, scope)
        elif isinstance(value, list | tuple):
            for each in value:
                self.any(each, scope)
        elif isinstance(value, dict):
            self.any(list(value.values()), scope)

    def expression(self, value: FilterExpression, scope: Scope) -> Any:
        kind = self.variable(value.var, scope) if isinstance(value.var, Variable) else str
        for function, given in value.filters:
            others = [self.variable(each, scope) for is_name, each in given if is_name]
            name = function.__name__
            if name in ("first", "last"):
                kind = element(kind)
            elif name in ("default", "default_if_none"):
                kind = union([kind, *others])
            elif name not in ("slice_filter", "dictsort", "safe"):
                kind = returned(function)
        return kind

    def variable(self, value: Variable, scope: Scope) -> Any:
        """Return the type of a name; an unknown name is recorded as a problem."""
        if value.lookups is None:
            return type(value.literal)
        self.names.add(value.lookups[0])
        kind, path = scope, ""
        for name in value.lookups:
            path = f"{path}.{name}" if path else name
            try:
                if kind is scope:
                    if name not in scope:
                        raise Missing
                    kind = scope[name]
                else:
                    kind = attribute(kind, name)
            except Missing:
                self.problem(path)
                return Any
        return kind

    def problem(self, path: str) -> None:
        if (self.template, path) in OPTIONAL:
            self.used.add((self.template, path))
        else:
            self.problems.add((self.template, path))

    def _ExtendsNode(self, node: loader_tags.ExtendsNode, scope: Scope) -> None:
        for name, block in node.blocks.items():
            self.blocks.setdefault(name, []).append((block, self.template))
        parents = [node.parent_name.var]
        if isinstance(parents[0], Variable):
            self.variable(parents[0], scope)
            parents = ["base.html", "parts/page/bare.html"]
        for parent in parents:
            self.show(parent, scope)

    def _BlockNode(self, node: loader_tags.BlockNode, scope: Scope) -> None:
        within, chosen = self.template, (node, self.template)
        if node.name in self.blocks:
            chosen = self.blocks[node.name][0]
        block, self.template = chosen
        self.nodes(block.nodelist, {**scope, "block": Any})
        self.template = within

    def _IncludeNode(self, node: loader_tags.IncludeNode, scope: Scope) -> None:
        given = {name: self.expression(each, scope) for name, each in node.extra_context.items()}
        if not isinstance(node.template.var, str):
            self.problem("include")
            return
        self.show(node.template.var, given if node.isolated_context else {**scope, **given})

    def _WithNode(self, node: Any, scope: Scope) -> None:
        given = {name: self.expression(each, scope) for name, each in node.extra_context.items()}
        self.nodes(node.nodelist, {**scope, **given})

    def _ForNode(self, node: Any, scope: Scope) -> None:
        inside = {**scope, "forloop": Any}
        try:
            each = element(self.expression(node.sequence, scope))
            names = node.loopvars
            inside |= zip(
                names, [each] if len(names) == 1 else unpacked(each, len(names)), strict=True
            )
        except Missing:
            self.problem(str(node.sequence.token))
            inside |= dict.fromkeys(node.loopvars, Any)
        self.nodes(node.nodelist_loop, inside)
        self.nodes(node.nodelist_empty, dict(scope))

    def _BlockTranslateNode(self, node: Any, scope: Scope) -> None:
        given = {name: self.expression(each, scope) for name, each in node.extra_context.items()}
        if node.countervar:
            given[node.countervar] = self.expression(node.counter, scope)
        inside = {**scope, **given}
        for token in (*node.singular, *(node.plural or ())):
            if token.token_type == base.TokenType.VAR:
                self.variable(Variable(token.contents), inside)
        if node.asvar:
            scope[node.asvar] = str

    def _InclusionNode(self, node: Any, scope: Scope) -> None:
        self.any([node.args, node.kwargs], scope)
        inside = ast.walk(ast.parse(textwrap.dedent(inspect.getsource(node.func))))
        (made,) = (each for each in inside if isinstance(each, ast.Return))
        self.show(node.filename, {key.value: Any for key in made.value.keys})  # type: ignore

    def _TextNode(self, node: base.TextNode, scope: Scope) -> None: ...

    def _CsrfTokenNode(self, node: base.Node, scope: Scope) -> None: ...


def fields_of(page: type[Page]) -> Scope:
    """Return the names that a page gives its templates, and their types."""
    return {
        name: kind
        for name, kind in annotated(page).items()
        if name not in inspect.get_annotations(Page)
    }


def pages() -> Iterator[type[Page]]:
    """Yield every page that has a template."""
    waiting = [Page]
    while waiting:
        page = waiting.pop()
        waiting += page.__subclasses__()
        if page is not Page and page.template:
            yield page
