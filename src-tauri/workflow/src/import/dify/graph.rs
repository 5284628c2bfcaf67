//! Nodes and edges: their order, and under which branches each node is reached.

use crate::import::{items, text_of};
use shidi_yaml::Node;
use std::collections::BTreeSet;

/// The way out of a branch that no case takes.
const OTHERWISE: &str = "false";

/// Ways through branches, each a set of branches with the way out; a node is reached by any of them.
pub type Guard = BTreeSet<BTreeSet<(String, String)>>;

/// Ways that one node may have; a graph with more says the same in fewer branches.
const WAYS_MAX: usize = 64;

#[derive(Clone)]
pub struct Vertex<'a> {
    pub id: String,
    pub kind: String,
    pub data: &'a Node,
    pub parent: Option<String>,
}

impl Vertex<'_> {
    pub fn is_start(&self) -> bool {
        ["start", "iteration-start"].contains(&self.kind.as_str())
    }

    pub fn is_branch(&self) -> bool {
        self.kind == "if-else"
    }

    /// Notes on the canvas.
    pub fn is_note(&self) -> bool {
        self.kind.is_empty() || self.kind == "custom-note"
    }

    /// The ways out of a branch.
    pub fn ways(&self) -> Vec<String> {
        let cases = self.data.get("cases").map(items).unwrap_or_default();
        let mut ways: Vec<String> = cases.iter().map(|case| text_of(case, "case_id")).collect();
        if cases.is_empty() {
            ways.push("true".to_owned());
        }
        ways.push(OTHERWISE.to_owned());
        ways
    }
}

struct Edge {
    from: String,
    to: String,
    way: String,
}

pub struct Graph<'a> {
    pub vertices: Vec<Vertex<'a>>,
    edges: Vec<Edge>,
}

impl<'a> Graph<'a> {
    pub fn read(graph: &'a Node) -> Self {
        let nodes = graph.get("nodes").map(items).unwrap_or_default();
        let vertices = nodes.iter().filter_map(|node| {
            let data = node.get("data")?;
            let parent = text_of(node, "parentId");
            let inside = text_of(data, "iteration_id");
            let parent = if parent.is_empty() { inside } else { parent };
            Some(Vertex {
                id: text_of(node, "id"),
                kind: text_of(data, "type"),
                data,
                parent: (!parent.is_empty()).then_some(parent),
            })
        });
        let edges = graph
            .get("edges")
            .map(items)
            .unwrap_or_default()
            .iter()
            .map(|edge| Edge {
                from: text_of(edge, "source"),
                to: text_of(edge, "target"),
                way: text_of(edge, "sourceHandle"),
            });
        Self {
            vertices: vertices.collect(),
            edges: edges.collect(),
        }
    }

    fn vertex(&self, id: &str) -> Option<&Vertex<'a>> {
        self.vertices.iter().find(|vertex| vertex.id == id)
    }

    fn leading_to<'b>(&'b self, vertex: &'b Vertex) -> impl Iterator<Item = (&'b Vertex<'a>, &'b str)> + 'b {
        let edges = self.edges.iter().filter(|edge| edge.to == vertex.id);
        edges.filter_map(|edge| Some((self.vertex(&edge.from)?, edge.way.as_str())))
    }

    /// The vertices of one graph, each after those that lead to it. Of a circle none is among them.
    pub fn in_order(&self, parent: Option<&str>) -> Vec<Vertex<'a>> {
        let mut left: Vec<&Vertex<'a>> = self
            .vertices
            .iter()
            .filter(|vertex| vertex.parent.as_deref() == parent)
            .collect();
        let mut ordered: Vec<Vertex<'a>> = Vec::new();
        loop {
            let ready = left.iter().position(|vertex| {
                let mut before = self.leading_to(vertex).map(|(from, _)| from);
                before.all(|from| {
                    from.parent.as_deref() != parent || ordered.iter().any(|done| done.id == from.id)
                })
            });
            match ready {
                Some(at) => ordered.push(left.remove(at).clone()),
                None => return ordered,
            }
        }
    }

    /// How a vertex is reached; empty where nothing leads to it.
    pub fn guard(&self, vertex: &Vertex) -> Guard {
        self.guard_within(vertex, self.vertices.len())
    }

    fn guard_within(&self, vertex: &Vertex, depth: usize) -> Guard {
        if vertex.is_start() {
            return Guard::from([BTreeSet::new()]);
        }
        let mut guard = Guard::new();
        for (from, way) in self.leading_to(vertex).filter(|_| depth > 0) {
            for mut through in self.guard_within(from, depth - 1) {
                if from.is_branch() {
                    through.insert((from.id.clone(), way.to_owned()));
                }
                guard.insert(through);
                if guard.len() > WAYS_MAX {
                    return guard;
                }
            }
        }
        self.simplified(guard)
    }

    /// Where all ways out of a branch come together again, it decides nothing any more.
    fn simplified(&self, mut guard: Guard) -> Guard {
        loop {
            let joined = guard.iter().find_map(|through| {
                through.iter().find_map(|(branch, way)| {
                    let mut rest = through.clone();
                    rest.remove(&(branch.clone(), way.clone()));
                    let ways = self.vertex(branch)?.ways();
                    let all = ways.iter().map(|way| {
                        let mut one = rest.clone();
                        one.insert((branch.clone(), way.clone()));
                        one
                    });
                    let all: Vec<_> = all.collect();
                    all.iter().all(|one| guard.contains(one)).then_some((rest, all))
                })
            });
            let Some((rest, all)) = joined else { break };
            guard.retain(|through| !all.contains(through));
            guard.insert(rest);
        }
        let ways: Vec<_> = guard.iter().cloned().collect();
        guard.retain(|through| {
            !ways
                .iter()
                .any(|other| other != through && other.is_subset(through))
        });
        guard
    }

    /// The vertices that a step waits for; a branch is no step, so what leads to it counts.
    pub fn needed(&self, vertex: &Vertex) -> BTreeSet<String> {
        let mut needed = BTreeSet::new();
        let mut open: Vec<String> = vec![vertex.id.clone()];
        let mut seen = BTreeSet::new();
        while let Some(id) = open.pop() {
            let Some(at) = self.vertex(&id) else { continue };
            for (from, _) in self.leading_to(at) {
                if from.is_start() || from.parent != vertex.parent || !seen.insert(from.id.clone()) {
                    continue;
                }
                if from.is_branch() {
                    open.push(from.id.clone());
                } else {
                    needed.insert(from.id.clone());
                }
            }
        }
        needed
    }

    pub fn branch(&self, id: &str) -> Option<Vertex<'a>> {
        self.vertex(id).cloned()
    }
}
