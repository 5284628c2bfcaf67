//! Vectors for the corpus by a real model: `--embedding http://127.0.0.1:11434/v1,all-minilm` names a server that
//! speaks OpenAI's format, and its model. Without it words alone are measured.

use serde_json::{Value, json};
use shidi_store::{Embedded, QueryVector, Store, Write};
use std::cell::RefCell;
use std::collections::HashMap;
use std::io::{Read, Write as _};
use std::net::TcpStream;

/// Texts of one request.
const TOGETHER: u32 = 64;

pub struct Meaning {
    /// `HOST:PORT` and the path of the request.
    server: String,
    path: String,
    model: String,
    known: RefCell<HashMap<String, Vec<f32>>>,
}

impl Meaning {
    /// The model that the arguments name, if any.
    pub fn asked_for(arguments: &[String]) -> Option<Self> {
        let at = arguments.iter().position(|argument| argument == "--embedding")?;
        let (address, model) = arguments.get(at + 1)?.split_once(',')?;
        let address = address.strip_prefix("http://")?.trim_end_matches('/');
        let (server, path) = address.split_once('/').unwrap_or((address, ""));
        Some(Self {
            server: server.to_owned(),
            path: format!("/{path}/embeddings"),
            model: model.to_owned(),
            known: RefCell::default(),
        })
    }

    /// Gives every text its vector that has none.
    pub fn place(&self, store: &Store) {
        loop {
            let missing = store.unplaced(&self.model, TOGETHER).unwrap();
            if missing.is_empty() {
                return;
            }
            let texts: Vec<&str> = missing.iter().map(|one| one.text.as_str()).collect();
            let vectors = self.vectors(&texts);
            let placed = missing.iter().zip(vectors).map(|(one, numbers)| Embedded {
                document: one.document,
                text: one.text.clone(),
                numbers,
            });
            store
                .commit(Write::PutVectors {
                    model: self.model.clone(),
                    placed: placed.collect(),
                })
                .unwrap();
        }
    }

    pub fn near(&self, text: &str) -> QueryVector {
        let known = self.known.borrow().get(text).cloned();
        let numbers = known.unwrap_or_else(|| self.vectors(&[text]).remove(0));
        self.known.borrow_mut().insert(text.to_owned(), numbers.clone());
        QueryVector {
            model: self.model.clone(),
            numbers,
        }
    }

    fn vectors(&self, texts: &[&str]) -> Vec<Vec<f32>> {
        let body = json!({"model": self.model, "input": texts}).to_string();
        let (path, server) = (&self.path, &self.server);
        let mut connection = TcpStream::connect(server).unwrap();
        // With HTTP/1.0 the answer comes whole and ends with the connection.
        write!(
            connection,
            "POST {path} HTTP/1.0\r\nHost: {server}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )
        .unwrap();
        let mut answer = String::new();
        connection.read_to_string(&mut answer).unwrap();
        let (_, answer) = answer.split_once("\r\n\r\n").unwrap();
        let answer: Value = serde_json::from_str(answer).unwrap();
        let data = answer["data"].as_array().unwrap();
        data.iter()
            .map(|one| serde_json::from_value(one["embedding"].clone()).unwrap())
            .collect()
    }
}
