//! Weighs the ways in which the ball could be made, in one run: the figures behind `src-tauri/shell/BALL.md`.
//!
//! `session.sh cargo bench -p shidi-tests --bench make_up`. Nothing is asserted: it prints a table.

use shidi_tests::eyes::{self, Desk, await_some};
use shidi_tests::program::{self, Program, built};
use std::error::Error;

/// Starts of each make-up.
const STARTS: usize = 5;
/// Blue, so that neither ink nor paper can be mistaken for it.
const WALLPAPER: eyes::Colour = [58, 123, 213];

fn main() -> Result<(), Box<dyn Error>> {
    let desk = Desk::open()?;
    desk.paint_wallpaper(WALLPAPER)?;
    let program = built("empty-app")?;
    println!(
        "{:<8} {:>10} {:>12}  processes",
        "make-up", "start ms", "idle PSS MB"
    );
    for make_up in ["two", "shared", "drawn", "one"] {
        measure(&desk, &program, make_up)?;
    }
    Ok(())
}

fn measure(desk: &Desk, program: &std::path::Path, make_up: &str) -> Result<(), Box<dyn Error>> {
    let folder = std::env::temp_dir();
    let mut times = Vec::new();
    let mut weight = program::Weight::default();
    for start in 0..STARTS {
        let running = Program::start(program, &[make_up], &folder)?;
        await_painted(desk)?;
        times.push(running.started.elapsed().as_secs_f64() * 1000.0);
        if start + 1 == STARTS {
            weight = running.settled_weight();
        }
        drop(running);
        desk.await_gone("Empty ball")?;
    }
    times.sort_by(f64::total_cmp);
    let parts: Vec<String> = weight
        .parts
        .iter()
        .map(|(name, mb)| format!("{name} {mb:.0}"))
        .collect();
    println!(
        "{make_up:<8} {:>10.0} {:>12.0}  {}",
        times[STARTS / 2],
        weight.total_mb,
        parts.join(", ")
    );
    Ok(())
}

/// Waits until the disc is seen on the screen.
fn await_painted(desk: &Desk) -> Result<(), eyes::Trouble> {
    await_some("the ball is painted", || {
        let Some(ball) = desk.find("Empty ball")? else {
            return Ok(None);
        };
        let [red, green, blue] = desk.pixel(ball.x + 28, ball.y + 45)?;
        Ok((red < 60 && green < 60 && blue < 60 && ball.width == 56).then_some(()))
    })
}
