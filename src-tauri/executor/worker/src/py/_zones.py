"""The time zones of the world. `zoneinfo` asks a package `tzdata` for them as files; they are inside this program."""

import _border
import io
from importlib.machinery import ModuleSpec

PACKAGE = "tzdata"
ZONES = PACKAGE + ".zoneinfo"
LIST = "zones"


class File:
    def __init__(self, folder, name):
        self.folder = folder
        self.name = name

    def is_dir(self):
        return False

    def open(self, mode="r", *args, **kwargs):
        if self.folder == PACKAGE and self.name == LIST:
            return io.StringIO("\n".join(_border.zones()))
        path = (self.folder + "." + self.name).removeprefix(ZONES + ".")
        data = _border.zone(path.replace(".", "/"))
        if data is None:
            raise FileNotFoundError(self.name)
        return io.BytesIO(data)


class Folder:
    def __init__(self, name):
        self.name = name

    def joinpath(self, name):
        return File(self.name, name)


class Loader:
    def __init__(self, name):
        self.name = name

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        pass

    def get_resource_reader(self, name):
        return self

    def files(self):
        return Folder(self.name)


class Finder:
    """Finds the package and whatever is asked for inside it; a file that is not there says so when it is opened."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name != PACKAGE and not name.startswith(PACKAGE + "."):
            return None
        return ModuleSpec(name, Loader(name), is_package=True)
