//! Describes windows: their programs, names, places, and the parts that they cover.

use super::{Display, failed};
use crate::limits::{NESTING_MAX, OPAQUE_PIECES_MAX, WINDOWS_MAX};
use crate::process::executable;
use crate::{FrontWindow, SenseError, StandingWindow};
use shidi_protocol::Area;
use std::collections::HashMap;
use x11rb::cookie::Cookie;
use x11rb::errors::ConnectionError;
use x11rb::protocol::res::{self, ClientIdSpec, ConnectionExt as _};
use x11rb::protocol::shape::ConnectionExt as _;
use x11rb::protocol::xproto::{
    Atom, AtomEnum, ConnectionExt as _, GetGeometryReply, GetPropertyReply, MapState, Window, WindowClass,
};
use x11rb::rust_connection::RustConnection;

/// Depth of windows that may be see-through.
const DEPTH_WITH_ALPHA: u8 = 32;

/// Lengths of properties that are read, in units of four bytes.
const TEXT_UNITS: u32 = 1_024;

type PendingReply<'a, Reply> = Result<Cookie<'a, RustConnection, Reply>, ConnectionError>;

/// The requests about one window, before any answer is read.
struct Questions<'a> {
    class: PendingReply<'a, GetPropertyReply>,
    name: PendingReply<'a, GetPropertyReply>,
    old_name: PendingReply<'a, GetPropertyReply>,
    told_pid: PendingReply<'a, GetPropertyReply>,
    pid: PendingReply<'a, res::QueryClientIdsReply>,
    shadow: PendingReply<'a, GetPropertyReply>,
    geometry: PendingReply<'a, GetGeometryReply>,
    place: PendingReply<'a, x11rb::protocol::xproto::TranslateCoordinatesReply>,
}

impl Display {
    /// The facts of the given windows, in the same order; `None` for a window that is gone.
    pub(super) fn described(&self, windows: &[Window]) -> Result<Vec<Option<FrontWindow>>, SenseError> {
        let asked: Vec<Questions<'_>> = windows.iter().map(|window| self.ask(*window)).collect();
        let described = windows
            .iter()
            .zip(asked)
            .map(|(window, questions)| describe(*window, questions));
        Ok(described.collect())
    }

    fn ask(&self, window: Window) -> Questions<'_> {
        let atoms = &self.atoms;
        let property = |name: Atom, kind: Atom| {
            self.connection
                .get_property(false, window, name, kind, 0, TEXT_UNITS)
        };
        let any = u32::from(AtomEnum::ANY);
        let owner = ClientIdSpec {
            client: window,
            mask: res::ClientIdMask::LOCAL_CLIENT_PID,
        };
        Questions {
            class: property(u32::from(AtomEnum::WM_CLASS), u32::from(AtomEnum::STRING)),
            name: property(atoms._NET_WM_NAME, atoms.UTF8_STRING),
            old_name: property(u32::from(AtomEnum::WM_NAME), any),
            told_pid: property(atoms._NET_WM_PID, u32::from(AtomEnum::CARDINAL)),
            pid: self.connection.res_query_client_ids(&[owner]),
            shadow: property(atoms._GTK_FRAME_EXTENTS, u32::from(AtomEnum::CARDINAL)),
            geometry: self.connection.get_geometry(window),
            place: self.connection.translate_coordinates(window, self.root, 0, 0),
        }
    }

    /// All visible windows, lowest first, with their opaque parts.
    pub(super) fn all_standing(&self) -> Result<Vec<StandingWindow>, SenseError> {
        let tree = self
            .connection
            .query_tree(self.root)
            .map_err(failed)?
            .reply()
            .map_err(failed)?;
        let tops = self.viewable(&tree.children);
        if tops.len() > WINDOWS_MAX {
            return Err(SenseError::Display(format!("more than {WINDOWS_MAX} windows")));
        }
        let programs = self.programs()?;
        // The program's own window is inside the frame of the window manager.
        let clients: Vec<Window> = tops.iter().map(|top| *programs.get(top).unwrap_or(top)).collect();
        let described = self.described(&clients)?;
        let wholes = self.wholes(&tops);
        let mut standing = Vec::with_capacity(tops.len());
        for (((top, client), window), whole) in tops.iter().zip(&clients).zip(described).zip(wholes) {
            let (Some(window), Some((whole, depth))) = (window, whole) else {
                continue;
            };
            let managed = programs.contains_key(top);
            let opaque = if managed {
                self.opaque(*top, *client, whole, depth)
            } else {
                Vec::new()
            };
            standing.push(StandingWindow {
                window,
                whole,
                opaque,
                managed,
            });
        }
        Ok(standing)
    }

    fn viewable(&self, windows: &[Window]) -> Vec<Window> {
        let asked: Vec<_> = windows
            .iter()
            .map(|window| self.connection.get_window_attributes(*window))
            .collect();
        let seen = windows.iter().zip(asked).filter_map(|(window, asked)| {
            let attributes = asked.ok()?.reply().ok()?;
            let is_seen =
                attributes.map_state == MapState::VIEWABLE && attributes.class != WindowClass::INPUT_ONLY;
            is_seen.then_some(*window)
        });
        seen.collect()
    }

    /// The windows of programs, as the window manager lists them.
    pub(super) fn clients(&self) -> Result<Vec<Window>, SenseError> {
        let (list, kind) = (self.atoms._NET_CLIENT_LIST, AtomEnum::WINDOW);
        let request = self
            .connection
            .get_property(false, self.root, list, kind, 0, u32::MAX >> 2);
        let reply = request.map_err(failed)?.reply().map_err(failed)?;
        Ok(reply.value32().into_iter().flatten().take(WINDOWS_MAX).collect())
    }

    /// The program's window within each child of the root that holds one.
    fn programs(&self) -> Result<HashMap<Window, Window>, SenseError> {
        let clients = self.clients()?;
        let mut climbing: Vec<(Window, Window)> = clients.iter().map(|client| (*client, *client)).collect();
        let mut found = HashMap::new();
        for _ in 0..NESTING_MAX {
            let asked: Vec<_> = climbing
                .iter()
                .map(|(here, _)| self.connection.query_tree(*here))
                .collect();
            let mut higher = Vec::new();
            for ((here, client), asked) in climbing.into_iter().zip(asked) {
                let Some(tree) = asked.ok().and_then(|cookie| cookie.reply().ok()) else {
                    continue;
                };
                if tree.parent == self.root {
                    found.insert(here, client);
                } else {
                    higher.push((tree.parent, client));
                }
            }
            climbing = higher;
        }
        Ok(found)
    }

    fn wholes(&self, windows: &[Window]) -> Vec<Option<(Area, u8)>> {
        let asked: Vec<_> = windows
            .iter()
            .map(|window| self.connection.get_geometry(*window))
            .collect();
        let whole = |asked: PendingReply<'_, GetGeometryReply>| {
            let geometry = asked.ok()?.reply().ok()?;
            let borders = 2 * u32::from(geometry.border_width);
            let area = Area {
                x: i32::from(geometry.x),
                y: i32::from(geometry.y),
                width: u32::from(geometry.width) + borders,
                height: u32::from(geometry.height) + borders,
            };
            Some((area, geometry.depth))
        };
        asked.into_iter().map(whole).collect()
    }

    /// The opaque parts of a window. In doubt none: then more is blacked out, never less.
    fn opaque(&self, top: Window, client: Window, whole: Area, depth: u8) -> Vec<Area> {
        let card = u32::from(AtomEnum::CARDINAL);
        let property = |window: Window, name: Atom, units: u32| {
            self.connection.get_property(false, window, name, card, 0, units)
        };
        let pieces_units = u32::try_from(4 * OPAQUE_PIECES_MAX).unwrap_or(u32::MAX);
        let opacity = [
            property(top, self.atoms._NET_WM_WINDOW_OPACITY, 1),
            property(client, self.atoms._NET_WM_WINDOW_OPACITY, 1),
        ];
        let region = property(client, self.atoms._NET_WM_OPAQUE_REGION, pieces_units);
        let place = self.connection.translate_coordinates(client, self.root, 0, 0);
        let shape = self.connection.shape_query_extents(top);
        let is_shaped = shape
            .ok()
            .and_then(|cookie| cookie.reply().ok())
            .is_none_or(|shape| shape.bounding_shaped);
        let is_faded = opacity.into_iter().any(|asked| {
            let reply = asked.ok().and_then(|cookie| cookie.reply().ok());
            reply
                .as_ref()
                .and_then(first)
                .is_some_and(|opacity| opacity != u32::MAX)
        });
        if is_shaped || is_faded {
            return Vec::new();
        }
        if depth != DEPTH_WITH_ALPHA {
            return vec![whole];
        }
        let region = region.ok().and_then(|cookie| cookie.reply().ok());
        let place = place.ok().and_then(|cookie| cookie.reply().ok());
        let (Some(region), Some(place)) = (region, place) else {
            return Vec::new();
        };
        let numbers: Vec<u32> = region.value32().into_iter().flatten().collect();
        let piece = |numbers: &[u32]| {
            let from = |origin: i16, offset: u32| i32::from(origin).checked_add(i32::try_from(offset).ok()?);
            let area = Area {
                x: from(place.dst_x, numbers[0])?,
                y: from(place.dst_y, numbers[1])?,
                width: numbers[2],
                height: numbers[3],
            };
            // A program may claim any region, but covers nothing outside its window.
            crate::redaction_mask::common(area, whole)
        };
        numbers.chunks_exact(4).filter_map(piece).collect()
    }
}

fn describe(window: Window, questions: Questions<'_>) -> Option<FrontWindow> {
    let Questions {
        class,
        name,
        old_name,
        told_pid,
        pid,
        shadow,
        geometry,
        place,
    } = questions;
    let answer =
        |asked: PendingReply<'_, GetPropertyReply>| asked.ok().and_then(|cookie| cookie.reply().ok());
    let (class, name, old_name) = (answer(class), answer(name), answer(old_name));
    let (told_pid, shadow) = (answer(told_pid), answer(shadow));
    // The server knows the process of a window; the program's own claim comes second.
    let known_pid = pid.ok().and_then(|cookie| cookie.reply().ok()).and_then(|reply| {
        let mut values = reply.ids.into_iter().flat_map(|id| id.value);
        values.next().filter(|pid| *pid != 0)
    });
    let pid = known_pid.or_else(|| told_pid.as_ref().and_then(first));
    let geometry = geometry.ok()?.reply().ok()?;
    let place = place.ok()?.reply().ok()?;
    let mut names: Vec<String> = class.iter().flat_map(|class| strings(&class.value)).collect();
    names.reverse();
    names.extend(pid.and_then(executable));
    let title = [name, old_name]
        .into_iter()
        .flatten()
        .map(|reply| text(&reply))
        .find(|title| !title.is_empty())
        .unwrap_or_default();
    Some(FrontWindow {
        id: window,
        app: shown_name(&names),
        names,
        title,
        pid,
        bounds: without_shadow(&geometry, (place.dst_x, place.dst_y), shadow.as_ref()),
    })
}

/// The first name that is meaningful: scripts are often called `-`.
fn shown_name(names: &[String]) -> String {
    let says_something = |name: &&String| name.chars().any(char::is_alphanumeric);
    names.iter().find(says_something).cloned().unwrap_or_default()
}

/// The bounds without the shadow. Programs that draw their own tell its widths: left, right, top, bottom.
fn without_shadow(geometry: &GetGeometryReply, place: (i16, i16), shadow: Option<&GetPropertyReply>) -> Area {
    let widths: Vec<u32> = shadow
        .and_then(GetPropertyReply::value32)
        .into_iter()
        .flatten()
        .collect();
    let (width, height) = (u32::from(geometry.width), u32::from(geometry.height));
    let [left, right, top, bottom] = match widths[..] {
        [left, right, top, bottom]
            if left.saturating_add(right) < width && top.saturating_add(bottom) < height =>
        {
            [left, right, top, bottom]
        }
        _ => [0; 4],
    };
    let from = |origin: i16, offset: u32| i32::from(origin) + i32::try_from(offset).unwrap_or(0);
    Area {
        x: from(place.0, left),
        y: from(place.1, top),
        width: width - left - right,
        height: height - top - bottom,
    }
}

fn first(reply: &GetPropertyReply) -> Option<u32> {
    reply.value32().and_then(|mut values| values.next())
}

/// Texts of a list in which each ends with a zero byte.
fn strings(bytes: &[u8]) -> impl Iterator<Item = String> {
    let parts = bytes.split(|byte| *byte == 0).filter(|part| !part.is_empty());
    parts.map(|part| String::from_utf8_lossy(part).into_owned())
}

/// A property's text. The text is UTF-8 today; other bytes are the older Latin 1.
fn text(reply: &GetPropertyReply) -> String {
    match std::str::from_utf8(&reply.value) {
        Ok(text) => text.to_owned(),
        Err(_) => reply.value.iter().map(|byte| char::from(*byte)).collect(),
    }
}
