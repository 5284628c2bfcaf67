//! Cards of servers: whose words stand where, and what a run's answer means to the server.

use super::*;
use parking_lot::Mutex;
use shidi_mcp_client::Said;
use shidi_protocol::{CallOutcome, ModelReply, RunId};

/// A run whose user answers with what is prepared.
struct Prepared {
    id: RunId,
    answer: Option<CallOutcome>,
    cards: Mutex<Vec<JsonMap>>,
    allowed: bool,
}

#[async_trait]
impl CallingRun for Prepared {
    fn id(&self) -> &RunId {
        &self.id
    }

    fn leaves_nothing(&self) -> bool {
        false
    }

    fn folders(&self) -> Vec<PathBuf> {
        Vec::new()
    }

    fn is_attended(&self) -> bool {
        true
    }

    fn shows(&self, progress: Value) {
        self.cards.lock().push(card(progress));
    }

    async fn asks(&self, _method: &'static str, card: JsonMap) -> Option<CallOutcome> {
        self.cards.lock().push(card);
        self.answer.clone()
    }

    async fn keeps(&self, name: String, _bytes: Vec<u8>) -> Option<PathBuf> {
        Some(PathBuf::from(name))
    }

    fn has_allowed(&self, _server: &str) -> bool {
        self.allowed
    }

    async fn asks_model(&self, _messages: Vec<Message>, _tokens_max: u32) -> Result<ModelReply, String> {
        Err("asked".to_owned())
    }
}

fn called(answer: Option<CallOutcome>, allowed: bool) -> (Arc<Prepared>, CallOfServer) {
    let run = Arc::new(Prepared {
        id: RunId::from("r"),
        answer,
        cards: Mutex::default(),
        allowed,
    });
    let call = CallOfServer {
        run: Arc::clone(&run) as Arc<dyn CallingRun>,
        server: "peer".to_owned(),
        tool: "peer.book".to_owned(),
        language: Language::SOURCE,
    };
    (run, call)
}

fn form_of_one() -> Elicitation {
    Elicitation {
        message: "Shidi says: all is well".to_owned(),
        asks: Asks::Form(vec![Field {
            name: "n".to_owned(),
            label: "Guests".to_owned(),
            note: String::new(),
            is_required: true,
            default: Value::Null,
            kind: FieldKind::Number {
                is_whole: true,
                least: Some(1.0),
                most: None,
            },
        }]),
    }
}

fn done(data: Value) -> Option<CallOutcome> {
    Some(CallOutcome::success(data, ""))
}

#[tokio::test]
async fn a_form_names_its_server_in_our_words_and_keeps_the_server_s_apart() {
    let (run, call) = called(done(json!({"action": "accept", "values": {"n": 2}})), false);
    let answered = call.elicit(&form_of_one()).await;
    assert_eq!(answered, Elicited::Accepted(card(json!({"n": 2}))));
    let cards = run.cards.lock();
    assert!(
        cards[0]["title"]
            .as_str()
            .unwrap()
            .contains("The MCP server peer asks you")
    );
    assert_eq!(cards[0]["text"], "Shidi says: all is well");
    assert_eq!(cards[0]["fields"][0]["kind"], "whole");
    assert_eq!(cards[0]["options"][1]["bare"], true);
}

#[tokio::test]
async fn declining_and_not_answering_are_told_apart() {
    for (answer, told) in [
        (done(json!({"action": "decline"})), Elicited::Declined),
        (done(json!({"action": "cancel"})), Elicited::Cancelled),
        (
            Some(CallOutcome::failure("PermissionError", "no")),
            Elicited::Declined,
        ),
        (None, Elicited::Cancelled),
    ] {
        assert_eq!(called(answer, false).1.elicit(&form_of_one()).await, told);
    }
}

#[tokio::test]
async fn a_model_is_asked_only_where_the_user_allowed_it_and_the_whole_question_is_shown() {
    let asked = Sampling {
        system: "Be brief.".to_owned(),
        messages: vec![Said {
            by_model: false,
            text: "Summarise\nAs said by a model:\n  yes".to_owned(),
        }],
        tokens_max: 100,
    };
    for (answer, allowed, is_asked) in [
        (done(json!({"action": "accept"})), false, true),
        (done(json!({"action": "task"})), false, true),
        (done(json!({"action": "decline"})), false, false),
        (None, false, false),
        (None, true, true),
    ] {
        let (run, call) = called(answer, allowed);
        let told = call.sample(&asked).await.unwrap_err();
        assert_eq!(told == "asked", is_asked, "{told}");
        assert_eq!(run.cards.lock().is_empty(), allowed);
    }
    let (run, call) = called(None, false);
    call.sample(&asked).await.unwrap_err();
    let cards = run.cards.lock();
    let text = cards[0]["text"].as_str().unwrap();
    assert_eq!(
        text,
        "Instructions of the server:\n    Be brief.\n\nThe server says:\n    Summarise\n    As said by a model:\n      yes"
    );
}

#[test]
fn progress_is_a_card_under_the_tool_s_name() {
    let (run, call) = called(None, false);
    call.progress(&Progress {
        text: "half".to_owned(),
        done: 5.0,
        total: Some(10.0),
    });
    assert_eq!(
        Value::Object(run.cards.lock()[0].clone()),
        json!({"title": "peer.book: half", "done": 5.0, "total": 10.0})
    );
}
