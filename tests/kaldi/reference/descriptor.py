"""Descriptors of nnet3: their text, when they can be computed, and what they give. Times are of the node that asks."""
import re

import numpy as np

TOKEN = re.compile(r"\s*([(),]|[^\s(),]+)")
NEVER = -10 ** 9


class Term:
    def __init__(self, kind, parts=(), **facts):
        self.kind, self.parts = kind, parts
        self.__dict__.update(facts)


def parse(text):
    tokens = TOKEN.findall(text)
    term, at = parse_from(tokens, 0)
    assert at == len(tokens), text
    return term


def parse_from(tokens, at):
    head = tokens[at]
    if at + 1 == len(tokens) or tokens[at + 1] != "(":
        return Term("node", name=head), at + 1
    arguments, at = [], at + 1
    while tokens[at] != ")":
        if re.fullmatch(r"[-+.\deE]+", tokens[at + 1]) or (head == "ReplaceIndex" and tokens[at + 1] in "tx"):
            arguments.append(tokens[at + 1])
            at += 2
        else:
            argument, at = parse_from(tokens, at + 1)
            arguments.append(argument)
    return built(head, arguments), at + 1


def built(head, a):
    if head == "Offset":
        return Term(head, a[:1], t=int(a[1]))
    if head == "Round":
        return Term(head, a[:1], modulus=int(a[1]))
    if head == "Scale":
        return Term(head, a[1:], number=float(a[0]))
    if head == "Const":
        return Term(head, number=float(a[0]), dim=int(a[1]))
    if head == "ReplaceIndex":
        return Term(head, a[:1], t=int(a[2]) if a[1] == "t" else None)
    assert head in ("Append", "Sum", "Failover", "IfDefined", "Switch") and a, head
    return Term(head, a)


def moved(term, t):
    """The part of a forwarding term, and the time that it is asked for."""
    if term.kind == "Offset":
        return term.parts[0], t + term.t
    if term.kind == "Round":
        return term.parts[0], t // term.modulus * term.modulus
    if term.kind == "ReplaceIndex":
        return term.parts[0], t if term.t is None else term.t
    if term.kind == "Switch":
        return term.parts[t % len(term.parts)], t
    if term.kind == "Scale":
        return term.parts[0], t
    return None, None


def computable(term, t, node):
    """`node(name, t)` says it of a node."""
    if term.kind == "node":
        return node(term.name, t)
    if term.kind in ("IfDefined", "Const"):
        return True
    if term.kind == "Failover":
        return computable(term.parts[0], t, node) or computable(term.parts[1], t, node)
    part, at = moved(term, t)
    return computable(part, at, node) if part else all(computable(part, t, node) for part in term.parts)


def dim(term, node):
    """`node(name)` is the number of its values."""
    if term.kind == "node":
        return node(term.name)
    if term.kind == "Const":
        return term.dim
    return sum(dim(part, node) for part in term.parts) if term.kind == "Append" else dim(term.parts[0], node)


def value(term, t, network):
    """Of a network that has computable(), dim() and value() of its nodes."""
    if term.kind == "node":
        return network.value(term.name, t)
    if term.kind == "Const":
        return np.full(term.dim, term.number)
    if term.kind == "IfDefined":
        inner = term.parts[0]
        return value(inner, t, network) if computable(inner, t, network.computable) else np.zeros(dim(inner, network.dim))
    if term.kind == "Failover":
        first, second = term.parts
        return value(first if computable(first, t, network.computable) else second, t, network)
    part, at = moved(term, t)
    if part:
        return value(part, at, network) * (term.number if term.kind == "Scale" else 1)
    parts = [value(part, t, network) for part in term.parts]
    return np.concatenate(parts) if term.kind == "Append" else sum(parts)


def ahead(term, node):
    """The furthest frame that is read, counted from the one asked for, with all that is optional. `node(name)`: of a node; `node(name, True)`: of one that is read at one time."""
    if term.kind == "node":
        return node(term.name)
    if term.kind == "Const":
        return NEVER
    if term.kind == "ReplaceIndex" and term.t is not None:
        # The frame of that time has to be there for frame 0.
        return max(ahead(term.parts[0], lambda name: node(name, True)) + term.t, NEVER)
    return max(ahead(part, node) for part in term.parts) + (term.t if term.kind == "Offset" else 0)


def names_of(term):
    return [term.name] if term.kind == "node" else [name for part in term.parts for name in names_of(part)]
