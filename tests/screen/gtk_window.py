"""A window as a program of GTK shows it: a text, a form with a password, and what is selected in the text.

    gtk_window.py CLASS TITLE TEXT [SELECTED [MOST]]

With MOST the text stands in a field of one line, which holds so many characters.

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
most = int(sys.argv[5]) if len(sys.argv) > 5 else 0
GLib.set_prgname(name)
GLib.set_application_name(name)

window = Gtk.Window(title=title)
window.set_default_size(500, 400)
rows = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
view = Gtk.TextView()
words = view.get_buffer()
words.set_text(text)
line = Gtk.Entry(max_length=most)
line.set_text(text if most else "")
rows.pack_start(line if most else view, not most, True, 0)
password = Gtk.Entry()
password.set_visibility(False)
password.set_text("hunter2-secret")
rows.pack_start(password, False, False, 0)
window.add(rows)


def fronted(*_):
    if window.is_active():
        if most:
            line.grab_focus_without_selecting()
            line.set_position(-1)
        else:
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
    whole = line.get_text() if most else words.get_text(words.get_start_iter(), words.get_end_iter(), True)
    print(json.dumps(whole), flush=True)


def ended():
    for _ in sys.stdin:
        GLib.idle_add(told)
    GLib.idle_add(Gtk.main_quit)


threading.Thread(target=ended, daemon=True).start()
Gtk.main()
