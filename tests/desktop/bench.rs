//! Measures the desktop program beside an empty one of the same window library, in one run.
//!
//! Part of `make bench`; by hand `session.sh cargo bench -p shidi-tests --bench desktop [PROGRAM…]`. Nothing is asserted: it prints two tables. The first holds the
//! ways in which the ball could be made (the figures behind `src-tauri/shell/BALL.md`) and our program; the
//! second is the way from the keys to the painted, focused panel.

use shidi_tests::program::{Program, Weight, built};
use shidi_tests::screen::{Colour, Screen, Trouble, await_some};
use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};

type Outcome = Result<(), Box<dyn Error>>;

/// Starts of each program.
const STARTS: usize = 7;
/// Times that the panel is shown.
const SHOWS: usize = 40;
/// Time over which an idle program's processor time is taken.
const IDLE: Duration = Duration::from_secs(20);
/// Time that a hand needs between two presses; one within 5 ms counts as the keyboard's own repetition.
const HAND: Duration = Duration::from_millis(50);
/// Blue, so that neither ink nor paper can be mistaken for it.
const WALLPAPER: Colour = [58, 123, 213];

/// A program to be measured.
struct Candidate {
    name: &'static str,
    program: &'static str,
    arguments: &'static [&'static str],
    ball: &'static str,
}

const CANDIDATES: [Candidate; 5] = [
    Candidate {
        name: "two web views",
        program: "empty-app",
        arguments: &["two"],
        ball: "Empty ball",
    },
    Candidate {
        name: "shared web process",
        program: "empty-app",
        arguments: &["shared"],
        ball: "Empty ball",
    },
    Candidate {
        name: "drawn ball",
        program: "empty-app",
        arguments: &["drawn"],
        ball: "Empty ball",
    },
    Candidate {
        name: "one web view",
        program: "empty-app",
        arguments: &["one"],
        ball: "Empty ball",
    },
    OURS,
];
const OURS: Candidate = Candidate {
    name: "shidi",
    program: "shidi-desktop",
    arguments: &["--lang", "en"],
    ball: "Shidi: idle",
};

fn main() -> Outcome {
    let screen = Screen::open()?;
    screen.paint_wallpaper(WALLPAPER)?;
    println!(
        "{:<20} {:>9} {:>9} {:>12} {:>7}  processes",
        "program", "start p50", "max ms", "idle PSS MB", "CPU %"
    );
    let wanted: Vec<String> = std::env::args()
        .skip(1)
        .filter(|name| !name.starts_with("--"))
        .collect();
    for candidate in CANDIDATES
        .iter()
        .filter(|one| wanted.is_empty() || wanted.iter().any(|name| name == one.name))
    {
        measure(&screen, candidate)?;
    }
    measure_shows(&screen)
}

fn measure(screen: &Screen, candidate: &Candidate) -> Outcome {
    let program = built(candidate.program)?;
    let folder = Folder::new(candidate.program)?;
    let mut times = Vec::new();
    for _ in 0..STARTS {
        let running = Program::start(&program, candidate.arguments, &folder.0)?;
        await_painted(screen, candidate.ball)?;
        times.push(running.started.elapsed());
        drop(running);
        screen.await_gone(candidate.ball)?;
    }
    let running = Program::start(&program, candidate.arguments, &folder.0)?;
    await_painted(screen, candidate.ball)?;
    let weight = running.settled_weight();
    let before = running.processor_time();
    std::thread::sleep(IDLE);
    let share = (running.processor_time() - before).as_secs_f64() / IDLE.as_secs_f64() * 100.0;
    drop(running);
    screen.await_gone(candidate.ball)?;
    let Weight { total_mb, parts } = weight;
    let parts: Vec<String> = parts.iter().map(|(name, mb)| format!("{name} {mb:.0}")).collect();
    println!(
        "{:<20} {:>9.0} {:>9.0} {total_mb:>12.0} {share:>7.2}  {}",
        candidate.name,
        quantile_ms(&mut times, 0.5),
        quantile_ms(&mut times, 1.0),
        parts.join(", ")
    );
    Ok(())
}

/// From the press of the keys to the first painted pixel, and to the focus.
fn measure_shows(screen: &Screen) -> Outcome {
    let folder = Folder::new("shows")?;
    let running = Program::start(&built(OURS.program)?, OURS.arguments, &folder.0)?;
    let ball = await_painted(screen, OURS.ball)?;
    let ground = running.settled_weight();
    let (x, y) = (ball.0 - 60, ball.1 - 60);
    let (mut painted, mut focused) = (Vec::new(), Vec::new());
    let mut first = Duration::ZERO;
    let mut window = None;
    for show in 0..=SHOWS {
        let begun = Instant::now();
        screen.press_hotkey()?;
        await_some("the panel is painted", || {
            Ok((screen.pixel(x, y)? != WALLPAPER).then_some(()))
        })?;
        let painted_after = begun.elapsed();
        let panel = match window {
            Some(panel) => panel,
            None => screen.await_window("Shidi")?.window,
        };
        window = Some(panel);
        screen.await_focus(panel)?;
        let focused_after = begun.elapsed();
        if show == 0 {
            first = focused_after;
        } else {
            painted.push(painted_after);
            focused.push(focused_after);
        }
        screen.press_hotkey()?;
        screen.await_gone("Shidi")?;
        await_some("the panel is gone", || {
            Ok((screen.pixel(x, y)? == WALLPAPER).then_some(()))
        })?;
        std::thread::sleep(HAND);
    }
    println!(
        "\n{:<32} {:>8} {:>8} {:>8}",
        format!("{SHOWS} shows, ms"),
        "p50",
        "p95",
        "max"
    );
    for (name, times) in [
        ("keys to painted", &mut painted),
        ("keys to painted and focused", &mut focused),
    ] {
        let [half, most, all] = [0.5, 0.95, 1.0].map(|share| quantile_ms(times, share));
        println!("{name:<32} {half:>8.1} {most:>8.1} {all:>8.1}");
    }
    println!(
        "first show {:.0} ms; idle PSS {:.0} MB before the shows, {:.0} MB after",
        first.as_secs_f64() * 1000.0,
        ground.total_mb,
        running.settled_weight().total_mb
    );
    Ok(())
}

/// Waits until the disc is seen on the screen; where its window is.
fn await_painted(screen: &Screen, title: &str) -> Result<(i16, i16), Trouble> {
    await_some("the ball is painted", || {
        let Some(ball) = screen.find(title)? else {
            return Ok(None);
        };
        let [red, green, blue] = screen.pixel(ball.x + 28, ball.y + 45)?;
        let painted = red < 60 && green < 60 && blue < 60 && ball.width == 56;
        Ok(painted.then_some((ball.x, ball.y)))
    })
}

fn quantile_ms(times: &mut [Duration], share: f64) -> f64 {
    times.sort();
    let last = times.len().saturating_sub(1);
    let index = (last as f64 * share).round() as usize;
    times
        .get(index)
        .map_or(f64::NAN, |time| time.as_secs_f64() * 1000.0)
}

/// A data folder of its own, gone at the end.
struct Folder(std::path::PathBuf);

impl Folder {
    fn new(name: &str) -> std::io::Result<Self> {
        let path = std::env::temp_dir().join(format!("shidi-bench-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path)?;
        Ok(Self(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_dir_all(Path::new(&self.0)) {
            eprintln!("{}: {error}", self.0.display());
        }
    }
}
