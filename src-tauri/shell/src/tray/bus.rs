//! The tray over the session bus, as all desktops of today have it: no system library, no window.

use super::{lines, perform};
use crate::desktop::Desktop;
use crate::menu::Deed;
use crate::theme::has_session_bus;
use crate::words;
use gtk::gdk_pixbuf::Pixbuf;
use ksni::menu::{MenuItem, StandardItem};
use ksni::{Icon, ToolTip, Tray, TrayMethods};
use tauri::async_runtime::spawn;
use tauri::{AppHandle, Manager};

/// Side of the picture, in pixels; trays scale it down.
const ICON_PX: i32 = 64;
const PICTURE: &[u8] = include_bytes!("../../../../assets/icons/128x128.png");

/// Shows the tray icon now, and whenever a tray appears; follows the mood and the language.
pub fn show(app: &AppHandle) {
    if !has_session_bus() {
        return;
    }
    let entry = Entry {
        app: app.clone(),
        icon: icon(),
    };
    let app = app.clone();
    spawn(async move {
        let handle = match entry.assume_sni_available(true).spawn().await {
            Ok(handle) => handle,
            Err(error) => return tracing::debug!(%error, "There is no tray"),
        };
        let (mut moods, mut settings) = {
            let desktop = app.state::<Desktop>();
            (desktop.moods(), desktop.settings())
        };
        loop {
            tokio::select! {
                changed = moods.changed() => if changed.is_err() { return },
                changed = settings.changed() => if changed.is_err() { return },
            }
            moods.mark_unchanged();
            settings.mark_unchanged();
            if handle.update(|_| ()).await.is_none() {
                return;
            }
        }
    });
}

struct Entry {
    app: AppHandle,
    icon: Vec<Icon>,
}

impl Tray for Entry {
    fn id(&self) -> String {
        "dev.shidi.desktop".to_owned()
    }

    fn title(&self) -> String {
        let desktop = self.app.state::<Desktop>();
        let mood = *desktop.moods().borrow();
        words::ball_name(mood, desktop.language())
    }

    fn tool_tip(&self) -> ToolTip {
        ToolTip {
            title: self.title(),
            ..ToolTip::default()
        }
    }

    fn icon_pixmap(&self) -> Vec<Icon> {
        self.icon.clone()
    }

    fn activate(&mut self, _x: i32, _y: i32) {
        perform(&self.app, Deed::Open);
    }

    fn menu(&self) -> Vec<MenuItem<Self>> {
        let mut items = Vec::new();
        for group in lines(&self.app) {
            if !items.is_empty() {
                items.push(MenuItem::Separator);
            }
            items.extend(group.into_iter().map(|(deed, text)| {
                let item = StandardItem {
                    // A single underscore would mark an access key there.
                    label: text.replace('_', "__"),
                    activate: Box::new(move |entry: &mut Self| perform(&entry.app, deed)),
                    ..StandardItem::default()
                };
                MenuItem::Standard(item)
            }));
        }
        items
    }
}

/// The program's icon in the byte order of trays; empty if it can't be read.
fn icon() -> Vec<Icon> {
    let bytes = gtk::glib::Bytes::from_static(PICTURE);
    let stream = gtk::gio::MemoryInputStream::from_bytes(&bytes);
    let picture = Pixbuf::from_stream_at_scale(&stream, ICON_PX, ICON_PX, true, gtk::gio::Cancellable::NONE);
    let Ok(picture) = picture else { return Vec::new() };
    let (width, height, row) = (picture.width(), picture.height(), picture.rowstride() as usize);
    let channels = picture.n_channels() as usize;
    let pixels = picture.read_pixel_bytes();
    let mut data = Vec::with_capacity((width * height * 4) as usize);
    for line in pixels.chunks(row).take(height as usize) {
        for pixel in line.chunks(channels).take(width as usize) {
            match *pixel {
                [red, green, blue, opacity] => data.extend([opacity, red, green, blue]),
                [red, green, blue] => data.extend([u8::MAX, red, green, blue]),
                _ => return Vec::new(),
            }
        }
    }
    vec![Icon { width, height, data }]
}
