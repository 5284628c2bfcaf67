# What the interpreter's collections lack. OrderedDict is a dict, which keeps its order; it has no move_to_end.


class _shidi__collections_chain:
    def __init__(self, *maps):
        self.maps = list(maps) or [{}]

    def __getitem__(self, key):
        for mapping in self.maps:
            if key in mapping:
                return mapping[key]
        raise KeyError(key)

    def __setitem__(self, key, value):
        self.maps[0][key] = value

    def __contains__(self, key):
        for mapping in self.maps:
            if key in mapping:
                return True
        return False

    def __iter__(self):
        return iter(self.merged())

    def __eq__(self, other):
        if isinstance(other, _shidi__collections_chain):
            other = other.merged()
        return self.merged() == other

    def __repr__(self):
        return 'ChainMap(' + ', '.join([repr(mapping) for mapping in self.maps]) + ')'

    def merged(self):
        merged = {}
        for mapping in reversed(self.maps):
            for key in mapping:
                merged[key] = mapping[key]
        return merged

    def get(self, key, default=None):
        return self[key] if key in self else default

    def keys(self):
        return self.merged().keys()

    def values(self):
        return self.merged().values()

    def items(self):
        return self.merged().items()

    def pop(self, key, *default):
        return self.maps[0].pop(key, *default)

    def new_child(self, m=None, **kwargs):
        child = {} if m is None else m
        child.update(kwargs)
        return _shidi__collections_chain(child, *self.maps)


class _shidi__collections:
    ChainMap = _shidi__collections_chain
    OrderedDict = dict
