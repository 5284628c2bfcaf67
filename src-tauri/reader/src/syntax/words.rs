//! The words of a definition about itself: its form without its body, and the first sentence of its description.

use crate::limits::{COMMENTS_MAX, DOC_CHARACTERS_MAX, SIGNATURE_CHARACTERS_MAX};
use tree_sitter::Node;

/// Nodes that grammars put around a definition.
const AROUND: [&str; 10] = [
    "decorated_definition",
    "export_statement",
    "lexical_declaration",
    "variable_declaration",
    "template_declaration",
    "expression_statement",
    "type_declaration",
    "const_declaration",
    "var_declaration",
    "ambient_declaration",
];

/// Nodes that stand between a description and what it describes.
const BETWEEN: [&str; 3] = ["attribute_item", "decorator", "attribute_list"];

/// Bytes of a definition's head that are looked at.
const HEAD_BYTES: usize = 1_200;

/// How a definition is written, on one line, without its body.
pub(super) fn signature(node: Node<'_>, is_called: bool, text: &str) -> String {
    let start = match outermost(node) {
        around if around.kind() == "decorated_definition" => node.start_byte(),
        around if around.start_position().row == node.start_position().row => around.start_byte(),
        _ => node.start_byte(),
    };
    let body = body(node);
    let end = body.map_or(node.end_byte(), |body| body.start_byte());
    let end = end.max(start).min(start + HEAD_BYTES);
    let head = text.get(start..text.floor_char_boundary(end)).unwrap_or_default();
    let head = match (body, is_called) {
        (Some(_), _) => head,
        (None, true) => head.split(['{', ';']).next().unwrap_or_default(),
        (None, false) => head.split(['{', '\n', ';']).next().unwrap_or_default(),
    };
    let joined = head.split_whitespace().collect::<Vec<_>>().join(" ");
    let joined = joined.replace("( ", "(").replace(", )", ")");
    let plain = joined.trim_end_matches(['{', ' ', '|']).trim_end_matches("=>");
    cut(
        plain.trim_end_matches([':', '=', ',', ' ']),
        SIGNATURE_CHARACTERS_MAX,
    )
}

fn body(node: Node<'_>) -> Option<Node<'_>> {
    let own = || node.child_by_field_name("body");
    let of_value = || {
        ["value", "right"]
            .iter()
            .find_map(|field| node.child_by_field_name(field))
    };
    own().or_else(|| of_value()?.child_by_field_name("body"))
}

/// The outermost node that is written around a definition and nothing else.
fn outermost(node: Node<'_>) -> Node<'_> {
    let mut found = node;
    for _ in 0..4 {
        match found.parent() {
            Some(parent) if AROUND.contains(&parent.kind()) => found = parent,
            Some(_) | None => break,
        }
    }
    found
}

/// The first sentence of the comments before a definition, or of the text at the head of its body.
pub(super) fn description(node: Node<'_>, text: &str) -> String {
    let within = node
        .child_by_field_name("body")
        .and_then(|body| string_at_head(body, text));
    if let Some(said) = within {
        return said;
    }
    let mut comments: Vec<&str> = Vec::new();
    let mut below = outermost(node);
    for _ in 0..COMMENTS_MAX {
        let Some(above) = below.prev_sibling() else { break };
        let kind = above.kind();
        let is_near = last_row(above) + 1 >= below.start_position().row;
        if !is_near || !(kind.contains("comment") || BETWEEN.contains(&kind)) {
            break;
        }
        // What stands behind other code on its line belongs to that code.
        let is_behind = above
            .prev_sibling()
            .is_some_and(|other| other.end_position().row == above.start_position().row && other.is_named());
        let comment = text.get(above.byte_range()).unwrap_or_default();
        if kind.contains("comment") && !is_behind && !comment.starts_with("#!/") {
            comments.push(comment);
        }
        below = above;
    }
    comments.reverse();
    sentence(comments.iter().flat_map(|comment| comment.lines()))
}

/// The first sentence of what a file says of itself at its head.
pub(super) fn of_file(root: Node<'_>, text: &str) -> String {
    if let Some(said) = string_at_head(root, text) {
        return said;
    }
    let mut comments: Vec<&str> = Vec::new();
    let mut last = None;
    for place in 0..COMMENTS_MAX {
        let child = u32::try_from(place)
            .ok()
            .and_then(|place| root.named_child(place));
        let Some(child) = child.filter(|child| child.kind() != "php_tag") else {
            break;
        };
        let is_near = last.is_none_or(|last| last + 1 >= child.start_position().row);
        let is_comment = child.kind().contains("comment");
        if !is_comment && is_near {
            // What stands right above a definition describes that.
            let is_of_file = comments.first().is_some_and(|first| first.starts_with("//!"));
            let is_of_package = child.kind().starts_with("package");
            comments.retain(|_| is_of_file || is_of_package);
        }
        if !is_comment || !is_near {
            break;
        }
        let comment = text.get(child.byte_range()).unwrap_or_default();
        comments.extend(Some(comment).filter(|comment| !comment.starts_with("#!/")));
        last = Some(last_row(child));
    }
    let is_license = |comment: &&str| {
        let lower = comment.to_ascii_lowercase();
        ["copyright", "license", "spdx", "eslint", "@flow"]
            .iter()
            .any(|word| lower.contains(word))
    };
    match comments.iter().any(is_license) {
        true => String::new(),
        false => sentence(comments.iter().flat_map(|comment| comment.lines())),
    }
}

/// A text that stands first in a body, as Python describes things.
fn string_at_head(body: Node<'_>, text: &str) -> Option<String> {
    if !["block", "module"].contains(&body.kind()) {
        return None;
    }
    let mut at_head = (0..6).map_while(|place| body.named_child(place));
    let first = at_head.find(|child| !child.kind().contains("comment"))?;
    let string = match first.kind() {
        "expression_statement" => first.named_child(0)?,
        "string" => first,
        _ => return None,
    };
    if string.kind() != "string" {
        return None;
    }
    let said = text.get(string.byte_range())?;
    let said = said.get(said.find(['"', '\''])?..)?.trim_matches(['"', '\'']);
    Some(sentence(said.lines())).filter(|said| !said.is_empty())
}

/// The row where a comment ends; some grammars count the end of its line.
fn last_row(node: Node<'_>) -> usize {
    let end = node.end_position();
    match end.column {
        0 if end.row > node.start_position().row => end.row - 1,
        _ => end.row,
    }
}

/// The first sentence of lines of comments.
fn sentence<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    let mut said = String::new();
    for line in lines {
        let line = line
            .trim()
            .trim_start_matches(['/', '*', '!', '#', '-', ';', '<'])
            .trim();
        let line = line.trim_end_matches("*/").trim();
        let line = line
            .trim_start_matches("summary>")
            .trim_end_matches("</summary>")
            .trim();
        let is_mark = line.starts_with('@') || line.starts_with(':') || line.starts_with("```");
        if (line.is_empty() || is_mark) && !said.is_empty() {
            break;
        }
        if line.is_empty() || is_mark {
            continue;
        }
        if !said.is_empty() {
            said.push(' ');
        }
        said.push_str(line);
        if let Some(end) = said.find(". ") {
            said.truncate(end);
            break;
        }
        if said.len() > DOC_CHARACTERS_MAX * 4 {
            break;
        }
    }
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    cut(said.trim_end_matches('.'), DOC_CHARACTERS_MAX)
}

/// At most so many characters, with a mark where something is missing.
fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_sentence_is_taken_without_the_marks_of_comments() {
        let of = |text: &str| sentence(text.lines());
        assert_eq!(of("/// Opens it.\n/// Then more."), "Opens it");
        assert_eq!(of("/**\n * Opens the\n * door. And goes.\n */"), "Opens the door");
        assert_eq!(of("# Opens\n#\n# later"), "Opens");
        assert_eq!(of("/**\n * @param a it\n */"), "");
        assert!(of(&format!("// {}", "很".repeat(500))).chars().count() <= DOC_CHARACTERS_MAX + 1);
    }
}
