//! Texts of code in, outlines out: the program, started with [`FLAG`], in the sandbox of readers.
//!
//! Grammars are parsers of foreign files, so none of them runs in a process that matters. Texts come one after the other by
//! standard input, outlines leave by standard output. The reader opens nothing and reaches nobody.

use crate::language::Language;
use crate::limits::FILE_BYTES_MAX;
use crate::outline::Outline;
use crate::syntax::{self, Grammar};
use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::process::ExitCode;
use tree_sitter::Parser;

/// The first argument that makes the program read code.
pub const FLAG: &str = "--read-code";

/// Reads code if the program was started for that; `None` otherwise.
#[must_use]
pub fn run_if_asked() -> Option<ExitCode> {
    let first = std::env::args_os().nth(1)?;
    (first == FLAG).then(run)
}

fn run() -> ExitCode {
    // A panic ends the program, and whoever started it sees its end.
    std::panic::set_hook(Box::new(|_| {}));
    let reading = || -> io::Result<()> {
        shidi_toolkits::confine_reader().map_err(io::Error::other)?;
        serve(&mut io::stdin().lock(), &mut io::stdout().lock())
    };
    let ended = std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(shidi_toolkits::limits::READER_STACK_BYTES);
        let reading = builder.spawn_scoped(scope, reading)?;
        reading
            .join()
            .unwrap_or_else(|_| Err(io::Error::other("the parser failed")))
    });
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// Answers texts until there are no more.
fn serve(input: &mut impl Read, output: &mut impl Write) -> io::Result<()> {
    let mut grammars: HashMap<u8, Grammar> = HashMap::new();
    let mut parser = Parser::new();
    while let Some((code, text)) = next(input)? {
        let outline = Language::from_code(code).and_then(|language| {
            let grammar = grammars.entry(code).or_insert_with(|| Grammar::new(language));
            syntax::read(&mut parser, grammar, &text)
        });
        answer(output, outline.as_ref())?;
    }
    Ok(())
}

/// The next text with the code of its language; `None` at the end.
fn next(input: &mut impl Read) -> io::Result<Option<(u8, String)>> {
    let mut head = [0; 5];
    match input.read_exact(&mut head[..1]) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        Err(error) => return Err(error),
    }
    input.read_exact(&mut head[1..])?;
    let [code, length @ ..] = head;
    let length = u64::from(u32::from_le_bytes(length));
    if length > FILE_BYTES_MAX * 4 {
        return Err(io::Error::other("a text is too long"));
    }
    let mut text = String::new();
    let read = input.take(length).read_to_string(&mut text)?;
    match u64::try_from(read) {
        Ok(read) if read == length => Ok(Some((code, text))),
        Ok(_) | Err(_) => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

/// Says an outline; nothing where there is none.
fn answer(output: &mut impl Write, outline: Option<&Outline>) -> io::Result<()> {
    let said = match outline {
        Some(outline) => postcard::to_stdvec(outline).map_err(io::Error::other)?,
        None => Vec::new(),
    };
    let length = u32::try_from(said.len()).map_err(io::Error::other)?;
    output.write_all(&length.to_le_bytes())?;
    output.write_all(&said)?;
    output.flush()
}

/// Sends a text as a reader takes it.
///
/// # Errors
/// The reader is gone, or the text is longer than 4 GiB.
pub fn ask(input: &mut impl Write, language: Language, text: &str) -> io::Result<()> {
    let length = u32::try_from(text.len()).map_err(io::Error::other)?;
    input.write_all(&[language.code()])?;
    input.write_all(&length.to_le_bytes())?;
    input.write_all(text.as_bytes())?;
    input.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_answered_in_their_order_and_an_unknown_language_with_nothing() {
        let mut asked = Vec::new();
        ask(&mut asked, Language::Python, "def one():\n    two()\n").expect("asked");
        asked.extend([250, 1, 0, 0, 0, b'x']);
        ask(&mut asked, Language::Go, "package a\nfunc Three() {}\n").expect("asked");
        let mut said = Vec::new();
        serve(&mut asked.as_slice(), &mut said).expect("served");
        let mut names = Vec::new();
        let mut rest = said.as_slice();
        while let Some((head, after)) = rest.split_first_chunk::<4>() {
            let (body, after) = after.split_at(u32::from_le_bytes(*head) as usize);
            let outline: Option<Outline> = postcard::from_bytes(body).ok();
            names.push(outline.map(|outline| outline.symbols[0].name.clone()));
            rest = after;
        }
        assert_eq!(names, [Some("one".to_owned()), None, Some("Three".to_owned())]);
    }

    #[test]
    fn a_text_that_breaks_off_is_an_error_and_no_outline() {
        let mut asked = Vec::new();
        ask(&mut asked, Language::Python, "def one(): pass\n").expect("asked");
        asked.truncate(10);
        let mut said = Vec::new();
        assert!(serve(&mut asked.as_slice(), &mut said).is_err() && said.is_empty());
    }
}
