//! Measures the gate of the senses: how long 20 kB of text take to lose their secrets, where they have some or none.
//!
//! The product's limit is 1 ms at p95. Everything that is read of a window or a page passes here before it is shown.

#![expect(clippy::print_stdout, reason = "a benchmark prints")]

use shidi_senses::{Gate, Rules};
use std::hint::black_box;
use std::time::Instant;

const ROUNDS: usize = 400;
/// The first ones read the forms of secrets and warm what they share.
const WARM_UP: usize = 20;
/// Bytes of the text.
const BYTES: usize = 20_000;
/// How many milliseconds a text may take at p95.
const MOST: f64 = 1.0;

const PLAIN: &str = "The harbour of Ostmoor falls dry twice a day; see https://tides.example/table?day=7&place=ostmoor \
                     for the hours. 港口每天干涸两次，付款期限为三十天，订单号 20260417。\n| Item | Price |\n| Lamp | 12.50 |\n";
const SECRET: &str = "Authorization: Bearer abcdefghijklmnopqrstuvwx, password: hunter2, 验证码 482913, card 4111 1111 1111 1111.\n";

fn main() {
    let gate = Gate::new(Rules::default(), []);
    println!("the gate, {BYTES} bytes of text, {ROUNDS} rounds       p50         p95");
    row("a text without secrets", measured(&gate, &text_of(&[PLAIN])));
    row(
        "one with a secret in each paragraph",
        measured(&gate, &text_of(&[PLAIN, SECRET])),
    );
}

/// The parts again and again, as many as fit.
fn text_of(parts: &[&str]) -> String {
    let mut text = String::new();
    for part in parts.iter().cycle() {
        if text.len() + part.len() > BYTES {
            break;
        }
        text.push_str(part);
    }
    text
}

fn measured(gate: &Gate, text: &str) -> Vec<f64> {
    let mut times = Vec::new();
    for round in 0..ROUNDS + WARM_UP {
        let began = Instant::now();
        let passed = gate.text(black_box(text));
        let took = began.elapsed().as_secs_f64() * 1e3;
        assert!(!passed.contains("hunter2"), "the gate lets a secret through");
        if round >= WARM_UP {
            times.push(took);
        }
    }
    times
}

fn row(name: &str, mut times: Vec<f64>) {
    times.sort_unstable_by(f64::total_cmp);
    let at = |part: usize| {
        let place = (times.len() * part / 100).min(times.len().saturating_sub(1));
        times.get(place).copied().unwrap_or_default()
    };
    let late = at(95);
    let kept = if late <= MOST { "kept" } else { "MISSED" };
    println!(
        "{name:<40} {:>8.3} ms {late:>8.3} ms; the limit of {MOST} ms is {kept}",
        at(50)
    );
}
