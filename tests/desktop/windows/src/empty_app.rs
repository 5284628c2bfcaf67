//! An empty window-library program in the make-ups that a ball and a panel can have, to measure beside ours.
//!
//! `empty-app two|shared|drawn|one`: a 56 px window at (100, 100) and a hidden 420 × 640 one. It does nothing
//! else, so what ours costs beyond it is ours.

use tauri::{App, AppHandle, WebviewUrl, WebviewWindow, WebviewWindowBuilder};

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// Edge of the small window, in logical pixels.
const BALL_PX: f64 = 56.0;
/// Both coordinates of the small window's place.
const PLACE_PX: f64 = 100.0;

/// How the two windows are made up.
#[derive(Clone, Copy)]
enum MakeUp {
    /// Two web views, each with its own web process.
    Two,
    /// Two web views in one web process.
    Shared,
    /// The small window drawn without a web view.
    Drawn,
    /// The small window alone, as a web view.
    One,
}

fn main() {
    let make_up = match std::env::args().nth(1).as_deref() {
        Some("shared") => MakeUp::Shared,
        Some("drawn") => MakeUp::Drawn,
        Some("one") => MakeUp::One,
        Some(_) | None => MakeUp::Two,
    };
    let ran = tauri::Builder::default()
        .setup(move |app| open_windows(app, make_up))
        .run(tauri::generate_context!());
    if let Err(error) = ran {
        eprintln!("{error}");
        std::process::exit(1);
    }
}

fn open_windows(app: &mut App, make_up: MakeUp) -> Outcome {
    match make_up {
        MakeUp::Two => {
            ball_builder(app.handle()).build()?;
            panel(app)?;
        }
        MakeUp::Shared => shared(app)?,
        MakeUp::Drawn => {
            drawn_ball()?;
            panel(app)?;
        }
        MakeUp::One => {
            ball_builder(app.handle()).build()?;
        }
    }
    Ok(())
}

fn panel(app: &App) -> tauri::Result<WebviewWindow> {
    WebviewWindowBuilder::new(app, "panel", WebviewUrl::App("panel.html".into()))
        .title("Empty panel")
        .inner_size(420.0, 640.0)
        .decorations(false)
        .transparent(true)
        .visible(false)
        .build()
}

fn ball_builder(app: &AppHandle) -> WebviewWindowBuilder<'_, tauri::Wry, AppHandle> {
    WebviewWindowBuilder::new(app, "ball", WebviewUrl::App("ball.html".into()))
        .title("Empty ball")
        .inner_size(BALL_PX, BALL_PX)
        .min_inner_size(BALL_PX, BALL_PX)
        .max_inner_size(BALL_PX, BALL_PX)
        .position(PLACE_PX, PLACE_PX)
        .decorations(false)
        .transparent(true)
        .always_on_top(true)
        .skip_taskbar(true)
}

#[cfg(target_os = "linux")]
fn shared(app: &App) -> Outcome {
    let handle = app.handle().clone();
    panel(app)?.with_webview(move |webview| {
        if let Err(error) = ball_builder(&handle).with_related_view(webview.inner()).build() {
            eprintln!("{error}");
        }
    })?;
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn shared(app: &App) -> Outcome {
    ball_builder(app.handle()).build()?;
    panel(app)?;
    Ok(())
}

#[cfg(target_os = "linux")]
fn drawn_ball() -> Outcome {
    use gtk::prelude::*;
    let window = gtk::Window::new(gtk::WindowType::Toplevel);
    window.set_title("Empty ball");
    window.set_decorated(false);
    window.set_app_paintable(true);
    window.set_keep_above(true);
    window.set_skip_taskbar_hint(true);
    window.set_resizable(false);
    window.set_size_request(56, 56);
    if let Some(visual) = WidgetExt::screen(&window).and_then(|screen| screen.rgba_visual()) {
        window.set_visual(Some(&visual));
    }
    window.connect_draw(|_, cairo| {
        cairo.set_operator(gtk::cairo::Operator::Source);
        cairo.set_source_rgba(0.0, 0.0, 0.0, 0.0);
        let cleared = cairo.paint();
        cairo.set_source_rgb(0.106, 0.118, 0.122);
        cairo.arc(28.0, 28.0, 24.2, 0.0, std::f64::consts::TAU);
        if let Err(error) = cleared.and_then(|()| cairo.fill()) {
            eprintln!("{error}");
        }
        gtk::glib::Propagation::Stop
    });
    window.show_all();
    window.move_(100, 100);
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn drawn_ball() -> Outcome {
    Err("Drawn without a web view only on Linux".into())
}
