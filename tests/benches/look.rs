//! Measures a look at the screen: from asking to a picture that is encoded and ready to be shown and sent.
//!
//! Budget: ≤ 150 ms for a whole monitor. The parts stand beside it, from the same run.

#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark prints, and stops where it fails"
)]

use shidi_protocol::LookAt;
use shidi_senses::{Gate, Outcome, Rules, ScreenReader, Seen, encoded};
use std::time::{Duration, Instant};

/// Looks measured; the first ones warm the display's memory.
const ROUNDS: usize = 40;
const WARM_UP: usize = 5;

fn main() {
    let eyes = match ScreenReader::open(None) {
        Ok(eyes) => eyes,
        Err(cause) => return println!("NOT RUN: look at the screen ({cause})"),
    };
    let gate = Gate::new(Rules::default(), []);
    let (mut whole, mut seeing, mut encoding) = (Vec::new(), Vec::new(), Vec::new());
    let mut bytes = 0;
    let mut size = (0, 0);
    for round in 0..ROUNDS + WARM_UP {
        let started = Instant::now();
        let seen = looked(&eyes, &gate);
        let captured = started.elapsed();
        let pixels = seen.pixels.expect("pixels");
        let picture = encoded(&pixels).expect("a picture");
        let done = started.elapsed();
        if round >= WARM_UP {
            whole.push(done);
            seeing.push(captured);
            encoding.push(done - captured);
        }
        bytes = picture.jpeg.len();
        size = (pixels.width, pixels.height);
    }
    println!(
        "look at a monitor of {}×{}, {ROUNDS} rounds   p50        p95     budget",
        size.0, size.1
    );
    row("asked → seen, gated, encoded", &mut whole, "150 ms");
    row("of it: windows listed twice, captured", &mut seeing, "");
    row("of it: scaled and encoded, with thumbnail", &mut encoding, "");
    println!("{:<42} {bytes:>8} B", "size of the picture");
}

fn looked(eyes: &ScreenReader, gate: &Gate) -> Seen {
    match eyes.look(LookAt::Monitor, gate, None).expect("a look") {
        Outcome::Seen(seen) => seen,
        Outcome::Withheld { reason, .. } => {
            println!("NOT RUN: look at the screen (withheld: {reason:?})");
            std::process::exit(0);
        }
    }
}

fn row(name: &str, times: &mut [Duration], budget: &str) {
    times.sort();
    let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize].as_secs_f64() * 1_000.0;
    println!("{name:<42} {:>7.1} ms {:>7.1} ms {budget:>9}", at(0.5), at(0.95));
}
