//! The look of menus and small windows of the toolkit. The look has the colours of the panel, light or dark like the
//! panel.

use crate::linux::{shape, theme};
use gtk::prelude::*;
use gtk::{CssProvider, STYLE_PROVIDER_PRIORITY_APPLICATION, StyleContext};
use std::cell::Cell;

/// Radius of the corners, in pixels.
pub const CORNER_PX: i32 = 8;

/// The class name of each theme, with the design's `--raised`, `--text`, `--line-2`, `--line`, `--hover` and `--accent` in
/// that theme.
const LOOKS: [[&str; 7]; 2] = [
    [
        "shidi-light",
        "#FFFFFF",
        "#1D1C1A",
        "#D3CFC7",
        "#E5E2DC",
        "#EDEBE6",
        "#0B6678",
    ],
    [
        "shidi-dark",
        "#222220",
        "#ECEAE5",
        "#3B3A36",
        "#2E2E2B",
        "#2A2A28",
        "#63C0D1",
    ],
];

thread_local! {
    static IS_TAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// Gives a menu or a small window the look of the panel, whatever the theme of the toolkit.
pub fn dress(surface: &impl IsA<gtk::Widget>) {
    teach();
    let [light, dark] = LOOKS.map(|[name, ..]| name);
    let class = if theme::is_dark() { dark } else { light };
    surface.style_context().add_class(class);
    let Some(window) = surface.toplevel().and_downcast::<gtk::Window>() else {
        return;
    };
    if let Some(visual) = WidgetExt::screen(&window).and_then(|screen| screen.rgba_visual()) {
        window.set_visual(Some(&visual));
    }
    window.set_app_paintable(true);
    shape::keep_rounded(&window, CORNER_PX);
}

/// Registers the looks with GTK, once.
fn teach() {
    if IS_TAUGHT.replace(true) {
        return;
    }
    let style = CssProvider::new();
    let looks = LOOKS.map(|[name, ground, text, outline, line, hover, accent]| {
        format!(
            "menu.{name} {{ background: {ground}; color: {text}; border: 1px solid {outline}; border-radius: {CORNER_PX}px; padding: 4px; }} \
             menu.{name} menuitem {{ color: {text}; background: none; min-height: 20px; padding: 4px 12px; border-radius: 6px; }} \
             menu.{name} menuitem:hover {{ background: {hover}; }} \
             menu.{name} separator {{ background: {line}; min-height: 1px; margin: 4px 8px; }} \
             box.{name} {{ background: {ground}; color: {text}; border: 1px solid {outline}; border-radius: {CORNER_PX}px; padding: 3px; }} \
             box.{name} label {{ color: {text}; }} \
             box.{name} button {{ color: {text}; background: none; border: none; box-shadow: none; text-shadow: none; \
                outline: none; min-height: 26px; min-width: 24px; padding: 0 9px; border-radius: 6px; }} \
             box.{name} button:hover, box.{name} button.chosen {{ background: {hover}; }} \
             box.{name} button.chosen {{ box-shadow: inset 0 0 0 2px {accent}; }}"
        )
    });
    if let Err(error) = style.load_from_data(looks.concat().as_bytes()) {
        tracing::warn!(%error, "Menus keep the look of the desktop");
    }
    if let Some(screen) = gtk::gdk::Screen::default() {
        StyleContext::add_provider_for_screen(&screen, &style, STYLE_PROVIDER_PRIORITY_APPLICATION);
    }
}
