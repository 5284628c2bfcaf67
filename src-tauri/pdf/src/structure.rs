//! What each piece of a page is to a screen reader: headings, paragraphs, items, cells, links, in reading order.

use krilla::tagging::{
    Identifier, ListNumbering, Node as TagNode, TableHeaderScope, Tag, TagGroup, TagKind, TagTree,
};
use std::num::NonZeroU16;

pub(crate) type NodeId = usize;

/// The whole document.
pub(crate) const ROOT: NodeId = 0;

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Part {
    Document,
    Heading { level: u16, title: String },
    Paragraph,
    Code,
    Quote,
    List { is_numbered: bool },
    Item,
    Label,
    Body,
    Table,
    Head,
    Rows,
    Row,
    HeadCell,
    Cell,
    Link,
}

struct Node {
    part: Part,
    parent: NodeId,
    /// A node without content has no place in the tree; with its first content it gets one, in reading order.
    has_place: bool,
    children: Vec<Child>,
}

#[derive(Clone, Copy)]
enum Child {
    Node(NodeId),
    Leaf(Identifier),
}

pub(crate) struct Structure {
    nodes: Vec<Node>,
}

impl Structure {
    pub(crate) fn new() -> Self {
        let root = Node {
            part: Part::Document,
            parent: ROOT,
            has_place: true,
            children: Vec::new(),
        };
        Self { nodes: vec![root] }
    }

    pub(crate) fn add(&mut self, parent: NodeId, part: Part) -> NodeId {
        self.nodes.push(Node {
            part,
            parent,
            has_place: false,
            children: Vec::new(),
        });
        self.nodes.len() - 1
    }

    /// Content that was drawn belongs to a node.
    pub(crate) fn drawn(&mut self, node: NodeId, content: Identifier) {
        self.nodes[node].children.push(Child::Leaf(content));
        let mut at = node;
        while !self.nodes[at].has_place {
            self.nodes[at].has_place = true;
            let parent = self.nodes[at].parent;
            self.nodes[parent].children.push(Child::Node(at));
            at = parent;
        }
    }

    pub(crate) fn tree(&self) -> TagTree {
        let mut tree = TagTree::new();
        for child in &self.nodes[ROOT].children {
            tree.push(self.branch(*child));
        }
        tree
    }

    /// As deep as blocks lie within one another, which is bounded.
    fn branch(&self, child: Child) -> TagNode {
        match child {
            Child::Leaf(content) => TagNode::Leaf(content),
            Child::Node(id) => {
                let node = &self.nodes[id];
                let children = node.children.iter().map(|child| self.branch(*child)).collect();
                TagNode::Group(TagGroup::with_children(kind(&node.part), children))
            }
        }
    }
}

fn kind(part: &Part) -> TagKind {
    match part {
        Part::Heading { level, title } => Tag::Hn(
            NonZeroU16::new(*level).unwrap_or(NonZeroU16::MIN),
            Some(title.clone()),
        )
        .into(),
        Part::Document => Tag::Div.into(),
        Part::Paragraph => Tag::P.into(),
        Part::Code => Tag::Code.into(),
        Part::Quote => Tag::BlockQuote.into(),
        Part::List { is_numbered: true } => Tag::L(ListNumbering::Decimal).into(),
        Part::List { is_numbered: false } => Tag::L(ListNumbering::Disc).into(),
        Part::Item => Tag::LI.into(),
        Part::Label => Tag::Lbl.into(),
        Part::Body => Tag::LBody.into(),
        Part::Table => Tag::Table.into(),
        Part::Head => Tag::THead.into(),
        Part::Rows => Tag::TBody.into(),
        Part::Row => Tag::TR.into(),
        Part::HeadCell => Tag::TH(TableHeaderScope::Column).into(),
        Part::Cell => Tag::TD.into(),
        Part::Link => Tag::Link.into(),
    }
}
