//! The eyes on a real desktop: what is captured, and what never is.

use crate::windows::{BLUE, GREEN, Painted, RED, until};
use parking_lot::Mutex;
use shidi_protocol::LookAt;
use shidi_senses::{
    Composited, Gate, Order, Outcome, Pixels, Reason, Rules, ScreenReader, Seen, encoded, follow, sensor,
};
use std::sync::Arc;
use std::time::{Duration, Instant};

fn gate() -> Gate {
    Gate::new(Rules::default(), [])
}

fn look(what: LookAt, gate: &Gate) -> Outcome {
    ScreenReader::open(None).unwrap().look(what, gate, None).unwrap()
}

fn seen(what: LookAt, gate: &Gate) -> Seen {
    match look(what, gate) {
        Outcome::Seen(seen) => seen,
        Outcome::Withheld { reason, app } => panic!("{app} withheld: {reason:?}"),
    }
}

/// The colour at a place of the picture.
fn at(pixels: &Pixels, x: u32, y: u32) -> u32 {
    let start = ((y * pixels.width + x) * 4) as usize;
    let pixel = &pixels.bytes[start..start + 3];
    let [red, green, blue] = match pixels.order {
        Order::Rgba => [pixel[0], pixel[1], pixel[2]],
        Order::Bgra => [pixel[2], pixel[1], pixel[0]],
    };
    u32::from_be_bytes([0, red, green, blue])
}

/// No colour: the picture does not reach there, as a window has not its place yet.
const NOWHERE: u32 = u32::MAX;

/// The colour at a place of the desktop, which the picture has for certain once the desktop is painted.
fn shown(what: LookAt, gate: &Gate, x: i32, y: i32) -> u32 {
    let seen = seen(what, gate);
    let (bounds, pixels) = (seen.bounds.unwrap(), seen.pixels.unwrap());
    let place = |at: i32, from: i32, size: u32| u32::try_from(at - from).ok().filter(|at| *at < size);
    match (
        place(x, bounds.x, pixels.width),
        place(y, bounds.y, pixels.height),
    ) {
        (Some(x), Some(y)) => at(&pixels, x, y),
        (_, _) => NOWHERE,
    }
}

#[test]
fn the_window_in_front_is_seen_whole_in_its_colour_with_its_name_and_place() {
    let window = Painted::show(
        "Mousepad",
        "构建日志 password: hunter2",
        RED,
        (200, 150, 400, 300),
    );
    let (x, y, width, height) = window.place();
    until("it is painted", || {
        shown(LookAt::Window, &gate(), x + 5, y + 5) == RED
    });
    let seen = seen(LookAt::Window, &gate());
    assert_eq!(
        (seen.app.as_str(), seen.title.as_str()),
        ("Mousepad", "构建日志 password: [redacted:password]")
    );
    assert_eq!(seen.pid, Some(std::process::id()));
    let pixels = seen.pixels.unwrap();
    assert_eq!((pixels.width, pixels.height), (width, height));
    for place in [
        (0, 0),
        (width - 1, 0),
        (0, height - 1),
        (width - 1, height - 1),
        (width / 2, height / 2),
    ] {
        assert_eq!(at(&pixels, place.0, place.1), RED);
    }
    let picture = encoded(&pixels).unwrap();
    let mut decoder = jpeg_decoder::Decoder::new(picture.jpeg.as_slice());
    assert!(decoder.decode().unwrap()[0].abs_diff(0xc8) < 8);
}

#[test]
fn a_covered_window_is_seen_alone_where_windows_are_composited() {
    assert_eq!(
        sensor().unwrap().composited(),
        Composited::Yes,
        "session.sh starts a compositor"
    );
    // A compositor that has just begun may leave out what was covered before: the windows are shown anew then.
    let is_seen = (0..5).any(|_| {
        let below = Painted::show("Mousepad", "below", GREEN, (200, 150, 400, 300));
        let _above = Painted::show("Xfce4-terminal", "above", BLUE, (300, 200, 400, 300));
        let began = Instant::now();
        loop {
            // It has the focus and is covered. The cover takes it if it comes to be shown later, so it is given again.
            below.activate();
            let (x, y, ..) = below.place();
            if shown(LookAt::Window, &gate(), x + 380, y + 280) == GREEN {
                return true;
            }
            if began.elapsed() > Duration::from_secs(2) {
                return false;
            }
        }
    });
    assert!(is_seen);
}

#[test]
fn a_region_has_its_pixels() {
    let window = Painted::show("Mousepad", "region", BLUE, (500, 400, 300, 200));
    let (x, y, ..) = window.place();
    let region = LookAt::Region {
        x: x + 10,
        y: y + 10,
        width: 40,
        height: 30,
    };
    until("it is painted", || shown(region, &gate(), x + 10, y + 10) == BLUE);
    let seen = seen(region, &gate());
    let pixels = seen.pixels.unwrap();
    assert_eq!((pixels.width, pixels.height), (40, 30));
    assert_eq!(at(&pixels, 39, 29), BLUE);
}

#[test]
fn an_excluded_window_is_black_with_its_frame_and_what_lies_on_it_stays() {
    let excluded = Painted::show("KeePassXC", "Passwords.kdbx", RED, (100, 100, 500, 400));
    let cover = Painted::show("Mousepad", "notes", GREEN, (300, 200, 200, 150));
    let (x, y, ..) = excluded.place();
    let (over_x, over_y, ..) = cover.place();
    until("the cover is painted", || {
        shown(LookAt::Monitor, &gate(), over_x + 20, over_y + 20) == GREEN
    });
    let seen = seen(LookAt::Monitor, &gate());
    let pixels = seen.pixels.unwrap();
    let colour = |x: i32, y: i32| at(&pixels, u32::try_from(x).unwrap(), u32::try_from(y).unwrap());
    assert_eq!(colour(x + 20, y + 20), 0);
    assert_eq!(colour(x + 20, y - 5), 0, "its title is in its frame");
    assert_eq!(seen.blacked_out, 1);
    let red = pixels
        .bytes
        .chunks_exact(4)
        .filter(|pixel| pixel[2] == 0xc8 && pixel[1] == 0x28)
        .count();
    assert_eq!(red, 0, "not one pixel of it");
    drop(cover);
    excluded.activate();
    let refused = Outcome::Withheld {
        reason: Reason::App,
        app: "KeePassXC".to_owned(),
    };
    assert_eq!(look(LookAt::Window, &gate()), refused);
}

#[test]
fn our_own_windows_are_black_and_never_the_one_in_front() {
    let own = Painted::show("shidi-desktop", "师弟", RED, (600, 300, 200, 200));
    let gate = Gate::new(Rules::default(), [std::process::id()]);
    let (x, y, ..) = own.place();
    until("it is painted", || {
        shown(LookAt::Monitor, &self::gate(), x + 9, y + 9) == RED
    });
    assert_eq!(shown(LookAt::Monitor, &gate, x + 9, y + 9), 0);
    let facts = ScreenReader::open(None).unwrap().look(LookAt::Facts, &gate, None);
    assert!(facts.is_err(), "nothing but ours is there: {facts:?}");
}

#[test]
fn a_change_of_window_and_of_title_is_told_without_asking() {
    let told = Arc::new(Mutex::new(Vec::new()));
    let sender = Arc::clone(&told);
    follow(move |window| sender.lock().push(window.title)).unwrap();
    let has = |title: &str| told.lock().iter().any(|told| told == title);
    let first = Painted::show("Mousepad", "first window", RED, (100, 100, 200, 150));
    until("the first is told", || has("first window"));
    let _second = Painted::show("Mousepad", "second window", GREEN, (400, 100, 200, 150));
    until("the second is told", || has("second window"));
    first.activate();
    first.title("标题变了");
    until("the new title is told", || has("标题变了"));
}
