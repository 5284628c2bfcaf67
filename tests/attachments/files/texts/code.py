# Adds rows: code as somebody attaches it.
import os

def total(rows):
    return sum(rows)
