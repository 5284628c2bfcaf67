//! A small window from which the pointer drags a file, as a file manager would offer it.
//!
//! `drag-source PATH`: a 100 × 100 window titled "drag source" at (20, 20), "drag source: held" once the file is dragged.
//! Prints `DRAGGED` when the drag ends.

#[cfg(target_os = "linux")]
fn main() {
    use gtk::prelude::*;
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("Which file? Usage: drag-source PATH");
        std::process::exit(2);
    };
    if let Err(error) = gtk::init() {
        eprintln!("No display ({error})");
        std::process::exit(1);
    }
    let window = gtk::Window::new(gtk::WindowType::Toplevel);
    window.set_title("drag source");
    window.set_default_size(100, 100);
    let ground = gtk::EventBox::new();
    ground.drag_source_set(
        gtk::gdk::ModifierType::BUTTON1_MASK,
        &[],
        gtk::gdk::DragAction::COPY,
    );
    ground.drag_source_add_uri_targets();
    ground.connect_drag_data_get(move |_, _, selection, _, _| {
        let uri = gtk::gio::File::for_path(&path).uri();
        if !selection.set_uris(&[uri.as_str()]) {
            eprintln!("The file could not be offered");
        }
    });
    let held = window.downgrade();
    ground.connect_drag_begin(move |_, _| {
        if let Some(window) = held.upgrade() {
            window.set_title("drag source: held");
        }
    });
    ground.connect_drag_end(|_, _| println!("DRAGGED"));
    window.add(&ground);
    window.connect_delete_event(|_, _| {
        gtk::main_quit();
        gtk::glib::Propagation::Proceed
    });
    window.show_all();
    window.move_(20, 20);
    gtk::main();
}

#[cfg(not(target_os = "linux"))]
fn main() {
    eprintln!("Only on Linux");
}
