//! The sampling over real HTTP: sent in every format, left out after a refusal, and not sent again.

use super::server::{Server, whole};
use super::*;
use crate::anthropic::Anthropic;
use crate::completions::Completions;
use crate::gemini::Gemini;
use crate::openai::Dialect;
use crate::{
    FimWay, KeyRing, ModelChoice, ModelSettings, Models, Profiles, RoleSampling, Temperature, Temperatures,
};

fn settings() -> ModelSettings {
    ModelSettings {
        patience: hurried(),
        ..ModelSettings::built_in()
    }
}

fn at(server: &Server, model: &str) -> ModelChoice {
    ModelChoice {
        provider: None,
        base_url: Some(server.base_url.clone()),
        model: Some(model.to_owned()),
    }
}

/// Asks for a program; returns the temperature that the reply names.
async fn asked(models: &Models, choice: &ModelChoice, role: ModelRole) -> Option<f64> {
    let model = models.open(choice).await.expect("a model");
    let request = ModelRequest { role, ..request() };
    let reply = model.ask(&request, &mut |_| {}, &CancellationToken::new()).await;
    reply.expect("an answer").sampling.temperature
}

fn sent(server: &Server) -> Vec<Value> {
    let read = |body: &str| serde_json::from_str::<Value>(body).expect("JSON")["temperature"].clone();
    server.asked().iter().map(|asked| read(&asked.body)).collect()
}

#[tokio::test]
async fn programs_are_asked_for_with_a_low_temperature_and_talk_with_a_higher_one() {
    let server = Server::answering(vec![hello(), hello()]).await;
    let models = Models::with(KeyRing::new(), settings());
    assert_eq!(
        asked(&models, &at(&server, "m"), ModelRole::Coder).await,
        Some(0.2)
    );
    assert_eq!(
        asked(&models, &at(&server, "m"), ModelRole::General).await,
        Some(0.6)
    );
    assert_eq!(sent(&server), [0.2, 0.6]);
}

#[tokio::test]
async fn the_users_temperature_counts_and_so_does_that_of_a_row() {
    let server = Server::answering(vec![hello(), hello(), hello()]).await;
    let rows = "[[model]]\nname = \"mine*\"\ntemperature = 0.35\n";
    let own = Temperatures {
        general: Temperature::named("1"),
        fast: Temperature::named("server"),
        ..Temperatures::default()
    };
    let settings = ModelSettings {
        temperatures: own,
        profiles: Profiles::with(rows).expect("a table"),
        ..settings()
    };
    let models = Models::with(KeyRing::new(), settings);
    assert_eq!(
        asked(&models, &at(&server, "mine-7b"), ModelRole::Coder).await,
        Some(0.35)
    );
    assert_eq!(
        asked(&models, &at(&server, "mine-7b"), ModelRole::General).await,
        Some(1.0)
    );
    assert_eq!(
        asked(&models, &at(&server, "mine-7b"), ModelRole::Fast).await,
        None
    );
    assert_eq!(sent(&server), [Value::from(0.35), Value::from(1.0), Value::Null]);
    let (line, problem) =
        Profiles::with("[[model]]\nname = \"a\"\ntemperature = 3\n").expect_err("a problem");
    assert!(line == 3 && problem.contains("0 to 2"), "{line}: {problem}");
}

#[tokio::test]
async fn what_the_settings_name_is_sent_for_its_role_as_the_format_has_it_and_an_assistants_wish_before_it() {
    let server = Server::answering((0..3).map(|_| hello()).collect()).await;
    let fast = Sampling {
        top_p: Some(0.9),
        seed: Some(7),
        frequency_penalty: Some(-0.5),
        ..Sampling::default()
    };
    let set = RoleSampling {
        fast,
        ..RoleSampling::default()
    };
    let settings = ModelSettings {
        sampling: set,
        ..settings()
    };
    let models = Models::with(KeyRing::new(), settings);
    let choice = at(&server, "m");
    asked(&models, &choice, ModelRole::Fast).await;
    asked(&models, &choice, ModelRole::Coder).await;
    let mut wished = RoleSampling::default();
    wished.fast.top_p = Some(0.5);
    let model = models.open_sampled(&choice, wished).await.expect("a model");
    let request = ModelRequest {
        role: ModelRole::Fast,
        ..request()
    };
    let reply = model.ask(&request, &mut |_| {}, &CancellationToken::new()).await;
    reply.expect("an answer");
    let bodies: Vec<Value> = server
        .asked()
        .iter()
        .map(|asked| serde_json::from_str(&asked.body).expect("JSON"))
        .collect();
    let of = |body: &Value, name: &str| body.get(name).cloned().unwrap_or_default();
    let of_all =
        |body: &Value| ["top_p", "seed", "frequency_penalty", "presence_penalty"].map(|name| of(body, name));
    let none = Value::Null;
    assert_eq!(
        of_all(&bodies[0]),
        [0.9.into(), 7.into(), Value::from(-0.5), none.clone()]
    );
    assert_eq!(
        of_all(&bodies[1]),
        [none.clone(), none.clone(), none.clone(), none.clone()]
    );
    assert_eq!(
        of_all(&bodies[2]),
        [0.5.into(), 7.into(), Value::from(-0.5), none]
    );
}

#[tokio::test]
async fn a_model_that_refuses_a_temperature_is_asked_without_it_and_not_sent_it_again() {
    let refusal = r#"{"error":{"message":"Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.","type":"invalid_request_error","param":"temperature","code":"unsupported_value"}}"#;
    let refused = whole("400 Bad Request", "", refusal);
    let server = Server::answering(vec![refused, hello(), hello(), hello()]).await;
    let mut models = Models::with(KeyRing::new(), settings());
    for _ in 0..2 {
        assert_eq!(
            asked(&models, &at(&server, "picky"), ModelRole::Coder).await,
            None
        );
        models = models.configured(settings());
    }
    assert_eq!(
        asked(&models, &at(&server, "easy"), ModelRole::Coder).await,
        Some(0.2)
    );
    assert_eq!(
        sent(&server),
        [Value::from(0.2), Value::Null, Value::Null, Value::from(0.2)]
    );
}

#[tokio::test]
async fn models_that_are_known_to_refuse_a_temperature_are_sent_none() {
    let models = [
        "o3-mini",
        "gpt-5.1",
        "openai/gpt-oss-20b",
        "deepseek-reasoner",
        "QwQ-32B",
    ];
    let server = Server::answering(models.iter().map(|_| hello()).collect()).await;
    let opened = Models::with(KeyRing::new(), settings());
    for model in models {
        assert_eq!(
            asked(&opened, &at(&server, model), ModelRole::Coder).await,
            None,
            "{model}"
        );
    }
    assert!(sent(&server).iter().all(Value::is_null));
}

#[test]
fn every_format_has_its_places_and_leaves_out_what_it_has_no_field_for() {
    let request = request();
    let all = Sampling {
        temperature: Some(0.2),
        top_p: Some(0.9),
        seed: Some(7),
        presence_penalty: Some(0.5),
        frequency_penalty: Some(-0.5),
    };
    let body = |wire: &dyn Wire, sampling| {
        let bytes = wire.body(&request, "m", wire.taken(sampling)).expect("a body");
        serde_json::from_slice::<Value>(&bytes).expect("JSON")
    };
    let completions = Completions {
        way: FimWay::Qwen,
        dialect: Dialect::of("custom"),
    };
    let old = Anthropic::of("claude-haiku-4-5");
    let gemini = Gemini::of("gemini-2.5-flash");
    let names = [
        "/temperature",
        "/top_p",
        "/seed",
        "/presence_penalty",
        "/frequency_penalty",
    ];
    let of_gemini = [
        "temperature",
        "topP",
        "seed",
        "presencePenalty",
        "frequencyPenalty",
    ];
    let of_gemini = of_gemini.map(|name| format!("/generationConfig/{name}"));
    for (wire, places) in [
        (&OpenAi::of("openai") as &dyn Wire, names),
        (&completions, names),
        (&old, ["/temperature", "/top_p", "", "", ""]),
        (&gemini, of_gemini.each_ref().map(String::as_str)),
    ] {
        let (sent, unsent) = (body(wire, all), body(wire, Sampling::default()));
        let values = [0.2.into(), 0.9.into(), 7.into(), 0.5.into(), Value::from(-0.5)];
        for (place, value) in places
            .into_iter()
            .zip(&values)
            .filter(|(place, _)| !place.is_empty())
        {
            assert_eq!(sent.pointer(place), Some(value), "{place}");
            assert_eq!(unsent.pointer(place), None, "{place}");
        }
    }
    assert!(body(&old, all).get("seed").is_none(), "the format knows none");
    let thinking = Anthropic::of("claude-opus-4-6");
    assert_eq!(thinking.taken(all), Sampling::default(), "it thinks");
}
