"""Completion for the shell, generated from the parsers of all commands: bash, zsh and fish.

What can follow a word is worked out here, once; each shell only gets it in its own form.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from shlex import quote

FILES = "FILES"
"""Stands for the names of files and folders."""


@dataclass(frozen=True, slots=True)
class Option:
    """`--config FILE` and the like. `values` are what may follow: words, `FILES`, nothing to choose from, or None."""

    flags: tuple[str, ...]
    help: str
    values: tuple[str, ...] | str | None


@dataclass(frozen=True, slots=True)
class CommandWords:
    """A command with its options, and what may stand after it besides."""

    name: str
    summary: str
    options: tuple[Option, ...]
    places: tuple[str, ...] | str


def words_of(parser: argparse.ArgumentParser) -> list[CommandWords]:
    """All commands of the program's parser."""
    (commands,) = (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    summaries = {choice.dest: choice.help or "" for choice in commands._choices_actions}
    return [_command(name, summaries[name], each) for name, each in commands.choices.items()]


def _command(name: str, summary: str, parser: argparse.ArgumentParser) -> CommandWords:
    options = [action for action in parser._actions if action.option_strings]
    places = [_values(action) for action in parser._actions if not action.option_strings]
    words = tuple(word for place in places if isinstance(place, tuple) for word in place)
    return CommandWords(
        name,
        summary,
        tuple(Option(tuple(each.option_strings), each.help or "", _values(each)) for each in options),
        FILES if FILES in places else words,
    )


def _values(action: argparse.Action) -> tuple[str, ...] | str | None:
    if action.nargs == 0:
        return None
    if action.choices is not None:
        return tuple(map(str, action.choices))
    named_like_a_file = action.metavar in ("FILE", "FOLDER", "RECORD")
    return FILES if action.type is Path or named_like_a_file else ()


def script(shell: str, parser: argparse.ArgumentParser) -> str:
    """The text that the shell is to read."""
    lines = {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell](words_of(parser))
    return "\n".join(lines) + "\n"


def _bash(commands: list[CommandWords]) -> Iterator[str]:
    yield "# Completion of linja for bash."
    yield "_linja() {"
    yield '    local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}"'
    yield "    COMPREPLY=()"
    yield '    if [ "$COMP_CWORD" -eq 1 ]; then'
    yield f'        COMPREPLY=($(compgen -W {quote(" ".join(command.name for command in commands))} -- "$word"))'
    yield "        return"
    yield "    fi"
    yield '    case "${COMP_WORDS[1]} $before" in'
    for command in commands:
        for option in command.options:
            for flag in option.flags if option.values is not None else ():
                yield f"        {quote(f'{command.name} {flag}')}) {_bash_reply(option.values)}; return ;;"
    yield "    esac"
    yield '    case "${COMP_WORDS[1]}" in'
    for command in commands:
        flags = " ".join(flag for option in command.options for flag in option.flags)
        yield f"        {command.name})"
        yield f"            if [[ $word == -* ]]; then {_bash_reply(tuple(flags.split()))}"
        yield f"            else {_bash_reply(command.places)}; fi ;;"
    yield "    esac"
    yield "}"
    yield "complete -o filenames -F _linja linja"


def _bash_reply(values: tuple[str, ...] | str | None) -> str:
    if values == FILES:
        return 'COMPREPLY=($(compgen -f -- "$word"))'
    return f'COMPREPLY=($(compgen -W {quote(" ".join(values or ()))} -- "$word"))'


def _zsh(commands: list[CommandWords]) -> Iterator[str]:
    yield "#compdef linja"
    yield "_linja() {"
    yield "    local -a commands"
    yield "    commands=("
    for command in commands:
        yield f"        {quote(f'{command.name}:{_zsh_text(command.summary)}')}"
    yield "    )"
    yield "    if (( CURRENT == 2 )); then _describe command commands; return; fi"
    yield '    local command="$words[2]"; shift words; (( CURRENT-- ))'
    yield '    case "$command" in'
    for command in commands:
        arguments = [_zsh_option(flag, option) for option in command.options for flag in option.flags]
        arguments.append(f"*::{_zsh_values(command.places)}")
        yield f"        {command.name}) _arguments {' '.join(map(quote, arguments))} ;;"
    yield "    esac"
    yield "}"
    yield '_linja "$@"'


def _zsh_option(flag: str, option: Option) -> str:
    text = f"{flag}[{_zsh_text(option.help)}]"
    return text if option.values is None else f"{text}:{_zsh_values(option.values)}"


def _zsh_values(values: tuple[str, ...] | str) -> str:
    if values == FILES:
        return "file:_files"
    return f"value:({' '.join(values)})" if values else "value: "


def _zsh_text(text: str) -> str:
    for special in "[]:":
        text = text.replace(special, f"\\{special}")
    return text


def _fish(commands: list[CommandWords]) -> Iterator[str]:
    yield "# Completion of linja for fish."
    yield "complete -c linja -f"
    for command in commands:
        yield f"complete -c linja -n __fish_use_subcommand -a {command.name} -d {_fish_text(command.summary)}"
    for command in commands:
        seen = f"-n {_fish_text(f'__fish_seen_subcommand_from {command.name}')}"
        for option in command.options:
            flags = " ".join(f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}" for flag in option.flags)
            line = f"complete -c linja {seen} {flags} -d {_fish_text(option.help)}"
            yield line if option.values is None else f"{line} {_fish_values(option.values)}"
        if command.places:
            yield f"complete -c linja {seen} {_fish_values(command.places)}"


def _fish_values(values: tuple[str, ...] | str) -> str:
    if values == FILES:
        return "-r -F"
    return f"-x -a {_fish_text(' '.join(values))}" if values else "-x"


def _fish_text(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
