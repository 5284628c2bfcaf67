//! Recognises words in a picture by `tesseract`, where it is installed: for models that take no pictures.
//!
//! Slow and coarse (a dense screen takes seconds, small letters are often wrong): the last resort, never in the
//! background. The program gets the picture on its standard input, and no other data of ours.

use crate::limits::RECOGNISING_MAX;
use crate::{Order, Pixels, SenseError, TEXT_CHARACTERS_MAX};
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;

const PROGRAM: &str = "tesseract";

/// Languages that are recognised where their data is installed, in this order.
const LANGUAGES: &[&str] = &["chi_sim", "eng"];

/// Bytes of output that are read: a character takes up to four.
const OUTPUT_BYTES_MAX: u64 = 4 * TEXT_CHARACTERS_MAX as u64;

/// Whether `tesseract` is installed.
#[must_use]
pub fn recogniser_is_there() -> bool {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).any(|folder| folder.join(PROGRAM).is_file())
}

/// The words in a picture, by lines. Takes seconds.
///
/// # Errors
/// [`SenseError::Recognising`] when the program is missing, fails or takes too long.
pub fn words_in(pixels: &Pixels) -> Result<String, SenseError> {
    let languages = languages()?;
    let mut child = command()
        .args(["stdin", "stdout", "-l", &languages, "--psm", "3"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(failed)?;
    let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(failed("no pipes"));
    };
    let picture = portable(pixels);
    let writing = thread::spawn(move || {
        // A program that ends early closes the pipe; its exit code tells the cause better than the broken pipe.
        if let Err(cause) = input.write_all(&picture) {
            tracing::debug!(%cause, "the recogniser took no more");
        }
    });
    let (sender, receiver) = mpsc::sync_channel(1);
    let reading = thread::spawn(move || {
        let mut text = Vec::new();
        let read = output.take(OUTPUT_BYTES_MAX).read_to_end(&mut text);
        if sender.send(read.map(|_| text)).is_err() {
            tracing::debug!("nobody waited for the recognised words");
        }
    });
    let read = receiver.recv_timeout(RECOGNISING_MAX);
    let is_well = end(&mut child, read.is_ok());
    for thread in [writing, reading] {
        if thread.join().is_err() {
            tracing::error!("a thread of the recogniser failed");
        }
    }
    match read {
        Ok(Ok(text)) if is_well => Ok(tidied(&String::from_utf8_lossy(&text))),
        Ok(Ok(_)) => Err(failed("it ended with an error")),
        Ok(Err(cause)) => Err(failed(cause)),
        Err(_) => Err(failed(format!(
            "it took longer than {} s",
            RECOGNISING_MAX.as_secs()
        ))),
    }
}

/// Ends the child and returns whether it ended well.
fn end(child: &mut Child, has_answered: bool) -> bool {
    if !has_answered && let Err(cause) = child.kill() {
        tracing::debug!(%cause, "the recogniser had ended");
    }
    child.wait().is_ok_and(|status| status.success())
}

fn languages() -> Result<String, SenseError> {
    let listed = command()
        .arg("--list-langs")
        .stdin(Stdio::null())
        .output()
        .map_err(failed)?;
    let known =
        String::from_utf8_lossy(&listed.stdout).into_owned() + &String::from_utf8_lossy(&listed.stderr);
    let is_known = |language: &&&str| known.lines().any(|line| line.trim() == **language);
    let wanted: Vec<&str> = LANGUAGES.iter().filter(is_known).copied().collect();
    if wanted.is_empty() {
        return Err(failed("no language data for Chinese or English"));
    }
    Ok(wanted.join("+"))
}

fn command() -> Command {
    let mut command = Command::new(PROGRAM);
    command.env_clear();
    for name in ["PATH", "TESSDATA_PREFIX"] {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    // More threads make `tesseract` slower (measured: 12 s instead of 5 s of processor time).
    command.env("OMP_THREAD_LIMIT", "1");
    command
}

/// The picture as PPM: a line of text, then three bytes per pixel.
fn portable(pixels: &Pixels) -> Vec<u8> {
    let mut picture = format!("P6\n{} {}\n255\n", pixels.width, pixels.height).into_bytes();
    picture.reserve(pixels.bytes.len() / 4 * 3);
    for pixel in pixels.bytes.chunks_exact(4) {
        match pixels.order {
            Order::Rgba => picture.extend_from_slice(&pixel[..3]),
            Order::Bgra => picture.extend([pixel[2], pixel[1], pixel[0]]),
        }
    }
    picture
}

/// The text without empty lines, and without the gaps that `tesseract` puts between Chinese characters.
fn tidied(text: &str) -> String {
    let mut lines = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let mut tidy = String::with_capacity(line.len());
        let mut rest = line.chars().peekable();
        while let Some(character) = rest.next() {
            let is_gap = character == ' '
                && tidy.chars().next_back().is_some_and(is_chinese)
                && rest.peek().copied().is_some_and(is_chinese);
            if !is_gap {
                tidy.push(character);
            }
        }
        lines.push(tidy);
    }
    lines.join("\n")
}

fn is_chinese(character: char) -> bool {
    matches!(character, '\u{3400}'..='\u{9fff}' | '\u{3000}'..='\u{303f}' | '\u{ff00}'..='\u{ffef}')
}

fn failed(cause: impl std::fmt::Display) -> SenseError {
    SenseError::Recognising(cause.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_between_chinese_characters_go_and_others_stay() {
        assert_eq!(
            tidied(" 构 建 失 败 ， 第 42 行\n\n  build  failed "),
            "构建失败，第 42 行\nbuild  failed"
        );
    }

    #[test]
    fn the_portable_picture_has_its_colours_in_order() {
        let pixels = Pixels {
            width: 1,
            height: 1,
            bytes: vec![3, 2, 1, 0],
            order: Order::Bgra,
        };
        assert_eq!(portable(&pixels), b"P6\n1 1\n255\n\x01\x02\x03");
    }
}
