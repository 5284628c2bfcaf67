//! Walks through a window's objects level by level, where its toolkit can't match them by a rule (GTK 4, Qt).
//!
//! Each level is asked at once. Only what shows is walked through, so many objects at most, and never below a menu.

use super::bus::{self, Bus, Object};
use super::roles::{DOCUMENTS, States, TEXTS, role, state};
use crate::limits::{WALKED_DEPTH_MAX, WALKED_OBJECTS_MAX};
use tokio::time::Instant;

/// Roles below which nothing is read.
const CLOSED: &[u32] = &[33, 34, 63, role::PASSWORD_TEXT];

/// An object that was come by.
struct Node {
    object: Object,
    role: u32,
    states: States,
    children: Vec<usize>,
}

/// What a walk found, in the order of the tree.
#[derive(Default)]
pub struct Walked {
    /// Objects that hold text.
    pub texts: Vec<Object>,
    pub focused: Vec<Object>,
    pub document: Option<Object>,
    pub is_cut: bool,
}

pub async fn walk(bus: &Bus, root: &Object, until: Instant) -> Walked {
    let mut nodes: Vec<Node> = Vec::new();
    let mut level = vec![(root.clone(), None)];
    let mut is_cut = false;
    for _ in 0..WALKED_DEPTH_MAX {
        let left = WALKED_OBJECTS_MAX - nodes.len();
        is_cut |= level.len() > left;
        level.truncate(left);
        if level.is_empty() {
            break;
        }
        let mut questions: Vec<_> = level.iter().map(|(object, _)| bus::role(object)).collect();
        questions.extend(level.iter().map(|(object, _)| bus::states(object)));
        questions.extend(level.iter().map(|(object, _)| bus::children(object)));
        let told = bus.ask(questions, until).await;
        is_cut |= told.cut;
        let count = level.len();
        let mut next = Vec::new();
        for (place, (object, parent)) in level.into_iter().enumerate() {
            let (Some(role), Some(states)) = (told.read::<u32>(place), told.read::<Vec<u32>>(count + place))
            else {
                continue;
            };
            let states = States::of(&states);
            if parent.is_some() && !states.has(state::SHOWING) {
                continue;
            }
            let number = nodes.len();
            if let Some(parent) = parent.and_then(|parent: usize| nodes.get_mut(parent)) {
                parent.children.push(number);
            }
            if !CLOSED.contains(&role) {
                let children: Vec<Object> = told.read(2 * count + place).unwrap_or_default();
                next.extend(children.into_iter().map(|child| (child, Some(number))));
            }
            nodes.push(Node {
                object,
                role,
                states,
                children: Vec::new(),
            });
        }
        level = next;
    }
    gathered(&nodes, is_cut)
}

/// The objects of the document, or of the whole window where there is none, each before its children.
fn gathered(nodes: &[Node], is_cut: bool) -> Walked {
    let document = nodes.iter().position(|node| DOCUMENTS.contains(&node.role));
    let mut walked = Walked {
        document: document
            .and_then(|number| nodes.get(number))
            .map(|node| node.object.clone()),
        is_cut,
        ..Walked::default()
    };
    let mut open = vec![document.unwrap_or_default()];
    while let Some(node) = open.pop().and_then(|number| nodes.get(number)) {
        if TEXTS.contains(&node.role) {
            walked.texts.push(node.object.clone());
        }
        if node.states.has(state::FOCUSED) && node.role != role::PASSWORD_TEXT {
            walked.focused.push(node.object.clone());
        }
        open.extend(node.children.iter().rev());
    }
    walked
}

#[cfg(test)]
mod tests {
    use super::*;
    use zbus::zvariant::ObjectPath;

    fn node(name: u32, role: u32, children: &[usize]) -> Node {
        let path = ObjectPath::try_from(format!("/{name}")).unwrap().into();
        Node {
            object: (":1.2".to_owned(), path),
            role,
            states: States::of(&[1 << state::FOCUSED]),
            children: children.to_vec(),
        }
    }

    fn paths(objects: &[Object]) -> Vec<&str> {
        objects.iter().map(|object| object.1.as_str()).collect()
    }

    #[test]
    fn objects_come_in_the_order_of_their_tree_and_a_documents_alone() {
        let window = [
            node(0, 23, &[1, 2]),
            node(1, 39, &[3]),
            node(2, role::LABEL, &[]),
            node(3, role::LABEL, &[]),
        ];
        assert_eq!(paths(&gathered(&window, false).texts), ["/3", "/2"]);
        let page = [
            node(0, 23, &[1, 2]),
            node(1, role::DOCUMENT_WEB, &[3]),
            node(2, role::LABEL, &[]),
            node(3, role::PARAGRAPH, &[]),
        ];
        assert_eq!(paths(&gathered(&page, false).texts), ["/3"]);
    }

    #[test]
    fn the_field_of_a_password_is_no_text_and_no_focus() {
        let walked = gathered(&[node(0, role::PASSWORD_TEXT, &[])], false);
        assert!(walked.texts.is_empty() && walked.focused.is_empty());
    }
}
