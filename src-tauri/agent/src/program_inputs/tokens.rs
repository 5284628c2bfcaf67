//! The parts of a Python program by which calls and their arguments are found. No program is refused: whatever has no name,
//! number or text is a sign. Pure.

/// What a part is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Name,
    Number,
    /// With its prefix and quotation marks.
    Text,
    Sign,
}

/// A part of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token<'a> {
    pub kind: Kind,
    pub text: &'a str,
    /// Where it begins, in bytes.
    pub at: usize,
}

impl Token<'_> {
    /// Where it ends, in bytes.
    pub fn end(&self) -> usize {
        self.at + self.text.len()
    }
}

/// The parts of a program in their order, without spaces and remarks.
pub fn tokens(program: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(sign) = program[at..].chars().next() {
        let rest = &program[at..];
        let (kind, length) = match sign {
            '#' => {
                at += rest.find('\n').unwrap_or(rest.len());
                continue;
            }
            sign if sign.is_whitespace() => {
                at += sign.len_utf8();
                continue;
            }
            '"' | '\'' => (Kind::Text, text_length(rest)),
            sign if sign == '_' || sign.is_alphabetic() => named(rest),
            sign if sign.is_ascii_digit() => (Kind::Number, length_of(rest, |sign| sign == '.')),
            sign => (Kind::Sign, sign.len_utf8()),
        };
        let text = &rest[..length];
        tokens.push(Token { kind, text, at });
        at += length;
    }
    tokens
}

/// A name, or a text whose prefix looks like one.
fn named(rest: &str) -> (Kind, usize) {
    let length = length_of(rest, |_| false);
    let is_prefix = length <= 2 && rest[..length].chars().all(|sign| "rbfutRBFUT".contains(sign));
    match is_prefix && rest[length..].starts_with(['"', '\'']) {
        true => (Kind::Text, length + text_length(&rest[length..])),
        false => (Kind::Name, length),
    }
}

fn length_of(rest: &str, is_more: impl Fn(char) -> bool) -> usize {
    let is_inner = |sign: char| sign == '_' || sign.is_alphanumeric() || is_more(sign);
    rest.find(|sign: char| !is_inner(sign)).unwrap_or(rest.len())
}

/// How long the text is that begins here. One of one line ends with the line at the latest.
fn text_length(rest: &str) -> usize {
    for marks in ["\"\"\"", "'''"] {
        if rest.starts_with(marks) {
            return closed(rest, marks).unwrap_or(rest.len());
        }
    }
    let line = rest.find('\n').unwrap_or(rest.len());
    closed(&rest[..line], &rest[..1]).unwrap_or(line)
}

/// Where a text ends that begins with these marks.
fn closed(text: &str, marks: &str) -> Option<usize> {
    let mut at = marks.len();
    while let Some(sign) = text.get(at..)?.chars().next() {
        if text[at..].starts_with(marks) {
            return Some(at + marks.len());
        }
        at += sign.len_utf8();
        if sign == '\\' {
            at += text[at..].chars().next().map_or(0, char::len_utf8);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_numbers_texts_and_signs_are_told_apart() {
        let program = "x = await f.read(r'a\\'b', n=1.5)  # f('c')\ny = \"\"\"two\nlines\"\"\" + '中'";
        let texts: Vec<&str> = tokens(program).iter().map(|token| token.text).collect();
        assert_eq!(
            texts,
            [
                "x",
                "=",
                "await",
                "f",
                ".",
                "read",
                "(",
                "r'a\\'b'",
                ",",
                "n",
                "=",
                "1.5",
                ")",
                "y",
                "=",
                "\"\"\"two\nlines\"\"\"",
                "+",
                "'中'"
            ]
        );
        let broken: Vec<&str> = tokens("a = 'b\nc").iter().map(|token| token.text).collect();
        assert_eq!(broken, ["a", "=", "'b", "c"]);
    }

    proptest! {
        #[test]
        fn whatever_is_written_is_cut_where_letters_begin(program in "[a-z\"'#\\\\\n中=(), .0-9]{0,60}") {
            for token in tokens(&program) {
                prop_assert_eq!(&program[token.at..token.end()], token.text);
                prop_assert!(!token.text.is_empty());
            }
        }
    }
}
