"""A window as a program of GTK shows it: a text, a form with a password, and what is selected in the text.

    gtk_window.py CLASS TITLE TEXT [SELECTED]

Says "ready" once the window is in front, the text as JSON for every line that it is told, and ends with its standard input.
"""

import json
import sys
import threading

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk  # noqa: E402

name, title, text = sys.argv[1:4]
selected = sys.argv[4] if len(sys.argv) > 4 else ""
GLib.set_prgname(name)
GLib.set_application_name(name)

window = Gtk.Window(title=title)
window.set_default_size(500, 400)
rows = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
view = Gtk.TextView()
words = view.get_buffer()
words.set_text(text)
rows.pack_start(view, True, True, 0)
password = Gtk.Entry()
password.set_visibility(False)
password.set_text("hunter2-secret")
rows.pack_start(password, False, False, 0)
window.add(rows)


def fronted(*_):
    if window.is_active():
        view.grab_focus()
        if selected:
            at = text.index(selected)
            words.select_range(words.get_iter_at_offset(at), words.get_iter_at_offset(at + len(selected)))
        # The display has handled everything before by the time that the program is idle.
        GLib.idle_add(lambda: print("ready", flush=True))


window.connect("notify::is-active", fronted)
window.connect("destroy", Gtk.main_quit)
window.show_all()
window.present()


def told():
    whole = words.get_text(words.get_start_iter(), words.get_end_iter(), True)
    print(json.dumps(whole), flush=True)


def ended():
    for _ in sys.stdin:
        GLib.idle_add(told)
    GLib.idle_add(Gtk.main_quit)


threading.Thread(target=ended, daemon=True).start()
Gtk.main()
