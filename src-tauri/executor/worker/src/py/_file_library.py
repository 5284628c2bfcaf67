"""What of Python's library is done by `_files`: names of `os`, `os.path`, `glob`, `pathlib` and `shutil`.

The library's own stay for itself: only what a program asks for is answered by the toolkit.
"""

import os
import posixpath
import sys

from _files import (
    Place,
    absolute,
    access,
    copy,
    exists,
    getcwd,
    glob,
    iglob,
    is_asked_by_program,
    is_never,
    isdir,
    isfile,
    listdir,
    makedirs,
    matches,
    mkdir,
    move,
    relative,
    remove,
    rename,
    resolved,
    rmdir,
    rmtree,
    scandir,
    stat,
    walk,
)
from _frozen_importlib import FrozenImporter

OF_OS = (access, getcwd, listdir, makedirs, mkdir, remove, rename, rmdir, scandir, stat, walk)
OF_PATHS = {
    "exists": exists,
    "lexists": exists,
    "isfile": isfile,
    "isdir": isdir,
    "islink": is_never,
    "ismount": is_never,
    "abspath": absolute,
    "realpath": resolved,
    "relpath": relative,
}
OF_MODULES = {
    "glob": {"glob": glob, "iglob": iglob},
    "pathlib": {
        "absolute": lambda path: type(path)(absolute(path)),
        "exists": lambda path, **_: exists(path),
        "is_file": lambda path, **_: isfile(path),
        "is_dir": lambda path, **_: isdir(path),
        "is_symlink": is_never,
        "is_mount": is_never,
        "iterdir": lambda path: iter([path / name for name in listdir(path)]),
        "glob": lambda path, pattern, **_: map(type(path), matches(str(path), pattern, True, True)),
        "rglob": lambda path, pattern, **_: map(
            type(path), matches(str(path), f"**/{pattern}", True, True)
        ),
        "walk": lambda path, top_down=True, on_error=None, follow_symlinks=False: (
            (type(path)(top), *below) for top, *below in walk(str(path), top_down, on_error)
        ),
    },
    "shutil": {
        "copy": copy,
        "copy2": copy,
        "copyfile": copy,
        "copytree": copy,
        "move": move,
        "rmtree": rmtree,
    },
}


def answering(own, query):
    def asked(*given, **named):
        return (own if is_asked_by_program() else query)(*given, **named)

    asked.__name__ = query.__name__
    asked.__doc__ = query.__doc__
    return asked


def answer(place, functions):
    for name, own in functions.items():
        setattr(place, name, answering(own, getattr(place, name)))


class Loader:
    create_module = staticmethod(FrozenImporter.create_module)

    @staticmethod
    def exec_module(module):
        FrozenImporter.exec_module(module)
        name = module.__name__
        answer(module.Path if name == "pathlib" else module, OF_MODULES[name])


class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name not in OF_MODULES:
            return None
        spec = FrozenImporter.find_spec(name, path, target)
        if spec is not None:
            spec.loader = Loader
        return spec


def answer_all(ask):
    Place.ask = ask
    for function in OF_OS:
        setattr(os, function.__name__, function)
    os.unlink, os.replace, os.lstat = remove, rename, stat
    answer(posixpath, OF_PATHS)
    # Stands before the library's finders: the first finder that knows a name wins.
    sys.meta_path.insert(0, Finder)
