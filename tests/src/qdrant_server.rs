//! A Qdrant server for tests: the part of its REST interface that knowledge bases use, over real HTTP.
//!
//! Shapes and refusals are those of Qdrant's OpenAPI description; what it finds is scored as the `idf` modifier says. It
//! keeps every request, and can be told to go away, to want a key, or to refuse from the nth write on.

use parking_lot::{Mutex, MutexGuard};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;

/// A running server. Dropping it leaves its thread to end with the test program.
pub struct QdrantServer {
    address: String,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    collections: BTreeMap<String, Collection>,
    key: Option<String>,
    /// Writes of points that are still taken; any number when absent.
    writes_left: Option<u32>,
    is_away: bool,
    requests: Vec<(String, String, Value)>,
}

#[derive(Default)]
struct Collection {
    config: Value,
    /// By id: the vectors and the payload.
    points: BTreeMap<String, (Value, Value)>,
}

type Answer = Result<Value, (u16, String)>;

impl QdrantServer {
    /// Starts one at a free port of this computer.
    ///
    /// # Panics
    /// When there is none.
    #[must_use]
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = format!("http://{}", listener.local_addr().expect("its address"));
        let state = Arc::new(Mutex::new(State::default()));
        let shared = Arc::clone(&state);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shared = Arc::clone(&shared);
                std::thread::spawn(move || converse(stream, &shared));
            }
        });
        Self { address, state }
    }

    #[must_use]
    pub fn url(&self) -> String {
        self.address.clone()
    }

    /// From now on this key is wanted.
    pub fn want_key(&self, key: &str) {
        held(&self.state).key = Some(key.to_owned());
    }

    /// From now on so many writes of points are taken, then none.
    pub fn take_writes(&self, writes: Option<u32>) {
        held(&self.state).writes_left = writes;
    }

    /// From now on connections are closed without an answer, or no longer.
    pub fn go_away(&self, is_away: bool) {
        held(&self.state).is_away = is_away;
    }

    /// A collection that somebody else made.
    pub fn make_foreign(&self, name: &str) {
        let config = json!({"params": {"vectors": {"size": 4, "distance": "Dot"}}});
        let points = BTreeMap::new();
        held(&self.state)
            .collections
            .insert(name.to_owned(), Collection { config, points });
    }

    /// Names of collections.
    #[must_use]
    pub fn collections(&self) -> Vec<String> {
        held(&self.state).collections.keys().cloned().collect()
    }

    /// Payloads of a collection's points.
    #[must_use]
    pub fn payloads(&self, collection: &str) -> Vec<Value> {
        let state = held(&self.state);
        let points = state
            .collections
            .get(collection)
            .map(|found| found.points.values());
        points
            .into_iter()
            .flatten()
            .map(|(_, payload)| payload.clone())
            .collect()
    }

    /// Requests so far: method, path, body.
    #[must_use]
    pub fn requests(&self) -> Vec<(String, String, Value)> {
        held(&self.state).requests.clone()
    }
}

fn held(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock()
}

fn converse(stream: TcpStream, state: &Mutex<State>) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut writer = stream;
    while let Some((method, target, key, body)) = read_request(&mut reader)? {
        let answer = {
            let mut state = held(state);
            if state.is_away {
                return Ok(());
            }
            state
                .requests
                .push((method.clone(), target.clone(), body.clone()));
            match state.key.is_some() && state.key.as_deref() != Some(&key) {
                true => Err((
                    401,
                    "Must provide an API key or an Authorization bearer token".to_owned(),
                )),
                false => state.answer(&method, &target, &body),
            }
        };
        let (status, body) = match answer {
            Ok(result) => (200, json!({"result": result, "status": "ok", "time": 0.000_1})),
            // As the real one, which says this of a wrong key in plain text.
            Err((401, said)) => (401, Value::String(said)),
            Err((status, said)) => (status, json!({"status": {"error": said}, "time": 0.000_1})),
        };
        let body = body.to_string();
        write!(
            writer,
            "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        )?;
        writer.flush()?;
    }
    Ok(())
}

/// Method, target, key, body.
type HttpRequest = (String, String, String, Value);

fn read_request(reader: &mut BufReader<TcpStream>) -> std::io::Result<Option<HttpRequest>> {
    let mut first = String::new();
    if reader.read_line(&mut first)? == 0 {
        return Ok(None);
    }
    let mut words = first.split_whitespace().map(str::to_owned);
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let (mut length, mut key) = (0, String::new());
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim().split_once(':') else {
            break;
        };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.trim().parse().unwrap_or(0),
            "api-key" => value.trim().clone_into(&mut key),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    Ok(Some((
        method,
        target,
        key,
        serde_json::from_slice(&body).unwrap_or_default(),
    )))
}

impl State {
    fn answer(&mut self, method: &str, target: &str, body: &Value) -> Answer {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let parts: Vec<&str> = path.trim_matches('/').split('/').collect();
        let ["collections", name, rest @ ..] = parts.as_slice() else {
            return Err((404, "no such path".to_owned()));
        };
        let name = (*name).to_owned();
        if (method, rest) == ("PUT", &[][..]) {
            if self.collections.contains_key(&name) {
                return Err((409, format!("Wrong input: Collection `{name}` already exists!")));
            }
            let config = json!({"params": body});
            self.collections.insert(
                name,
                Collection {
                    config,
                    points: BTreeMap::new(),
                },
            );
            return Ok(json!(true));
        }
        if (method, rest) == ("DELETE", &[][..]) {
            return Ok(json!(self.collections.remove(&name).is_some()));
        }
        let is_write = matches!(
            (method, rest),
            ("PUT", ["points" | "index"]) | ("POST", ["points", "delete"])
        );
        if is_write && query != "wait=true" {
            return Err((400, "a test reads what was written: wait for it".to_owned()));
        }
        if is_write && rest != ["index"] {
            match &mut self.writes_left {
                Some(0) => return Err((507, "No space left on device".to_owned())),
                Some(left) => *left -= 1,
                None => {}
            }
        }
        let Some(found) = self.collections.get_mut(&name) else {
            return Err((404, format!("Not found: Collection `{name}` doesn't exist!")));
        };
        match (method, rest) {
            ("GET", []) => {
                Ok(json!({"status": "green", "points_count": found.points.len(), "config": found.config}))
            }
            ("PUT", ["index"]) => Ok(done()),
            ("PUT", ["points"]) => found.put(body),
            ("POST", ["points", "delete"]) => {
                found
                    .points
                    .retain(|_, (_, payload)| !fits(payload, &body["filter"]));
                Ok(done())
            }
            ("POST", ["points", "count"]) => Ok(json!({"count": found.fitting(&body["filter"]).count()})),
            ("POST", ["points", "scroll"]) => found.scroll(body),
            ("POST", ["points", "query"]) => found.query(body),
            _ => Err((404, "no such path".to_owned())),
        }
    }
}

fn done() -> Value {
    json!({"operation_id": 1, "status": "completed"})
}

impl Collection {
    fn fitting<'a>(&'a self, filter: &'a Value) -> impl Iterator<Item = (&'a String, &'a (Value, Value))> {
        self.points
            .iter()
            .filter(move |(_, (_, payload))| fits(payload, filter))
    }

    fn put(&mut self, body: &Value) -> Answer {
        for point in body["points"]
            .as_array()
            .ok_or((400, "points are missing".to_owned()))?
        {
            let id = point["id"]
                .as_str()
                .filter(|id| id.len() == 36)
                .ok_or((400, "no UUID".to_owned()))?;
            let words = &point["vector"]["words"];
            let (indices, values) = (words["indices"].as_array(), words["values"].as_array());
            if indices.map(Vec::len) != values.map(Vec::len) {
                return Err((422, "indices and values have different lengths".to_owned()));
            }
            let mut numbers: Vec<u64> = indices.into_iter().flatten().filter_map(Value::as_u64).collect();
            let count = numbers.len();
            numbers.sort_unstable();
            numbers.dedup();
            if numbers.len() < count || count < indices.map_or(0, Vec::len) {
                return Err((422, "indices are not unique".to_owned()));
            }
            self.points
                .insert(id.to_owned(), (point["vector"].clone(), point["payload"].clone()));
        }
        Ok(done())
    }

    fn scroll(&self, body: &Value) -> Answer {
        let limit = usize::try_from(body["limit"].as_u64().unwrap_or(10)).unwrap_or(10);
        let from = body["offset"].as_str().unwrap_or_default();
        let mut found = self
            .fitting(&body["filter"])
            .filter(|(id, _)| id.as_str() >= from);
        let page: Vec<Value> = found
            .by_ref()
            .take(limit)
            .map(|(id, (_, payload))| json!({"id": id, "payload": payload}))
            .collect();
        Ok(json!({"points": page, "next_page_offset": found.next().map(|(id, _)| id)}))
    }

    /// The product of the weights, each term by how rare it is among the points that have words.
    fn query(&self, body: &Value) -> Answer {
        if body["using"] != "words" {
            return Err((400, "Wrong input: Not existing vector name error".to_owned()));
        }
        let with_words = self
            .points
            .values()
            .filter(|(vector, _)| vector["words"].is_object());
        let all: Vec<Map<String, Value>> = with_words.map(|(vector, _)| weights(&vector["words"])).collect();
        let rarity = |term: &str| {
            let holding = all.iter().filter(|weights| weights.contains_key(term)).count() as f64;
            (1.0 + (all.len() as f64 - holding + 0.5) / (holding + 0.5)).ln()
        };
        let asked = weights(&body["query"]);
        let score = |vector: &Value| -> f64 {
            let own = weights(&vector["words"]);
            let part = |(term, weight): (&String, &Value)| {
                own.get(term).and_then(Value::as_f64).unwrap_or(0.0)
                    * weight.as_f64().unwrap_or(0.0)
                    * rarity(term)
            };
            asked.iter().map(part).sum()
        };
        let mut found: Vec<(f64, Value)> = self
            .fitting(&body["filter"])
            .map(|(id, (vector, payload))| {
                (score(vector), json!({"id": id, "version": 1, "payload": payload}))
            })
            .filter(|(score, _)| *score > 0.0)
            .collect();
        found.sort_by(|left, right| right.0.total_cmp(&left.0));
        found.truncate(usize::try_from(body["limit"].as_u64().unwrap_or(10)).unwrap_or(10));
        let scored = found.into_iter().map(|(score, mut point)| {
            point["score"] = json!(score);
            point
        });
        Ok(json!({"points": scored.collect::<Vec<_>>()}))
    }
}

fn weights(sparse: &Value) -> Map<String, Value> {
    let of = |name: &str| sparse[name].as_array().cloned().unwrap_or_default();
    of("indices")
        .iter()
        .map(ToString::to_string)
        .zip(of("values"))
        .collect()
}

fn fits(payload: &Value, filter: &Value) -> bool {
    let must = filter["must"].as_array().map(Vec::as_slice).unwrap_or_default();
    must.iter().all(|condition| {
        let held = &payload[condition["key"].as_str().unwrap_or_default()];
        match condition.get("match") {
            Some(wanted) => *held == wanted["value"],
            None => {
                let most = condition["range"]["lt"].as_f64().unwrap_or(f64::INFINITY);
                held.as_f64().is_some_and(|held| held < most)
            }
        }
    })
}
