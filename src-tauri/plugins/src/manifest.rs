//! A plugin's manifest as it was read and checked.

use serde_json::Value;
use shidi_protocol::Class;
use shidi_workflow::ValueType;
use shidi_yaml::Place;

/// The name of a manifest's file.
pub const FILE: &str = "plugin.yaml";

/// Classes that a tool may say it is of.
pub const CLASSES: [(&str, Class); 8] = [
    ("read", Class::Read),
    ("network_read", Class::NetworkRead),
    ("search", Class::Search),
    ("write", Class::Write),
    ("keep", Class::Keep),
    ("execute", Class::Execute),
    ("send", Class::Send),
    ("money", Class::Money),
];

#[derive(Debug, Clone, PartialEq)]
pub struct Manifest {
    pub name: String,
    pub version: String,
    pub description: String,
    pub author: Option<String>,
    pub homepage: Option<String>,
    /// What its tools may call, and nothing else.
    pub permissions: Vec<String>,
    pub tools: Vec<Tool>,
}

/// A function of one of its files.
#[derive(Debug, Clone, PartialEq)]
pub struct Tool {
    pub place: Place,
    pub name: String,
    pub description: String,
    pub class: Class,
    pub inputs: Vec<Input>,
    pub output: ValueType,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Input {
    pub name: String,
    pub kind: ValueType,
    pub description: String,
    pub default: Option<Value>,
    pub example: Option<Value>,
    /// Whether the user is asked for it where nobody has said it. `None` leaves that to the tool's class.
    pub asked: Option<bool>,
}
