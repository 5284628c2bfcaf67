"""Questions about files: a program that asks them is refused in the words of `open`, not told that nothing is there.

The library asks them, too, on its own account, and lives with a no: `argparse` for a translation, `mimetypes` for a
table. So only a program's own question is refused.
"""

import posixpath
import sys

from _frozen_importlib import FrozenImporter

QUERIES = {
    "glob": ("glob", "iglob"),
    "pathlib": ("exists", "is_file", "is_dir", "is_symlink", "is_mount", "glob", "rglob", "walk"),
}
PATH_QUERIES = ("exists", "lexists", "isfile", "isdir", "islink", "ismount")


def refusing(query):
    def asked(*given, **named):
        if sys._getframe(1).f_code.co_filename.startswith("<program"):
            raise PermissionError("A program has no files of its own; use the toolkit `files`")
        return query(*given, **named)

    asked.__name__ = query.__name__
    asked.__doc__ = query.__doc__
    return asked


def refuse(place, names):
    for name in names:
        setattr(place, name, refusing(getattr(place, name)))


class Loader:
    create_module = staticmethod(FrozenImporter.create_module)

    @staticmethod
    def exec_module(module):
        FrozenImporter.exec_module(module)
        name = module.__name__
        refuse(module.Path if name == "pathlib" else module, QUERIES[name])


class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name not in QUERIES:
            return None
        spec = FrozenImporter.find_spec(name, path, target)
        if spec is not None:
            spec.loader = Loader
        return spec


def refuse_all():
    refuse(posixpath, PATH_QUERIES)
    # Stands before the library's finders: the first finder that knows a name wins.
    sys.meta_path.insert(0, Finder)
