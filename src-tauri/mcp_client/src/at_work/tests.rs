//! Calls at work: whose a request is, how progress is passed on, and what time counts.

use super::*;
use crate::elicitation::Asks;
use async_trait::async_trait;
use rmcp::model::NumberOrString;
use serde_json::json;
use std::path::Path;

#[derive(Default)]
struct Task {
    name: String,
    told: Mutex<Vec<Progress>>,
    is_away: bool,
    takes: Duration,
}

#[async_trait]
impl Caller for Task {
    fn task(&self) -> &str {
        &self.name
    }

    fn folders(&self) -> Vec<PathBuf> {
        vec![Path::new("/projects").join(&self.name), PathBuf::from("/both")]
    }

    fn progress(&self, progress: &Progress) {
        self.told.lock().push(progress.clone());
    }

    fn is_attended(&self) -> bool {
        !self.is_away
    }

    async fn elicit(&self, _asked: &Elicitation) -> Elicited {
        sleep(self.takes).await;
        Elicited::Accepted(json!({"ok": "yes"}).as_object().cloned().unwrap_or_default())
    }

    async fn sample(&self, asked: &Sampling) -> Result<Sampled, String> {
        Ok(Sampled {
            text: "words".to_owned(),
            model: "m".to_owned(),
            tokens: asked.tokens_max.min(1_500),
            is_cut: false,
        })
    }
}

fn task(name: &str) -> Arc<Task> {
    Arc::new(Task {
        name: name.to_owned(),
        ..Task::default()
    })
}

fn token(number: i64) -> ProgressToken {
    ProgressToken(NumberOrString::Number(number))
}

fn told(number: i64, done: f64) -> ProgressNotificationParam {
    ProgressNotificationParam::new(token(number), done).with_message("x".repeat(10_000))
}

fn question() -> Elicitation {
    let Ok(asked) = crate::elicitation::of_form("?", &json!({"properties": {"ok": {"type": "boolean"}}}))
    else {
        return Elicitation {
            message: String::new(),
            asks: Asks::Form(Vec::new()),
        };
    };
    asked
}

#[tokio::test]
async fn a_request_belongs_to_the_one_task_at_work_and_to_none_where_that_can_t_be_told() {
    let at_work = Arc::<AtWork>::default();
    assert!(at_work.asking().is_none() && at_work.folders().is_empty());
    let first = at_work.begin(task("a"));
    let again = at_work.begin(task("a"));
    assert!(at_work.asking().is_some());
    assert_eq!(at_work.folders(), [Path::new("/projects/a"), Path::new("/both")]);
    let other = at_work.begin(task("b"));
    assert!(at_work.asking().is_none());
    assert_eq!(at_work.folders().len(), 3);
    drop((first, again));
    assert_eq!(at_work.folders(), [Path::new("/projects/b"), Path::new("/both")]);
    drop(other);
    assert!(at_work.asking().is_none() && at_work.folders().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_flood_of_progress_is_told_in_a_bounded_rhythm_and_ends_with_the_last_of_it() {
    let at_work = Arc::<AtWork>::default();
    let task = task("a");
    let begun = at_work.begin(Arc::clone(&task) as Arc<dyn Caller>);
    begun.work.hears(token(1));
    let flood = async {
        for step in 0..2_000 {
            at_work.progressed(&told(1, f64::from(step)));
            at_work.progressed(&told(2, 9.0));
            sleep(Duration::from_millis(1)).await;
        }
        at_work.progressed(&told(1, 3.0));
        at_work.progressed(&told(1, f64::NAN));
        at_work.progressed(&told(1, -1.0));
    };
    assert!(begun.work.follow(flood, Duration::from_secs(60)).await.is_some());
    let told = task.told.lock();
    assert!(told.len() <= 6, "{} reports in two seconds", told.len());
    assert!(told.windows(2).all(|pair| pair[0].done < pair[1].done));
    assert_eq!(told.last().map(|last| last.done), Some(1_999.0));
    assert!(
        told.iter()
            .all(|progress| progress.text.chars().count() <= PROGRESS_CHARACTERS_MAX + 1)
    );
}

#[tokio::test(start_paused = true)]
async fn time_in_which_a_person_is_asked_does_not_count_and_any_other_does() {
    let at_work = Arc::<AtWork>::default();
    let begun = at_work.begin(Arc::new(Task {
        takes: Duration::from_secs(500),
        ..Task::default()
    }));
    let work = Arc::clone(&begun.work);
    let asked = question();
    let asking = async {
        sleep(Duration::from_secs(5)).await;
        work.elicit(&asked).await
    };
    let answered = begun.work.follow(asking, Duration::from_secs(10)).await;
    // The answer is no boolean, and so it is not sent.
    assert_eq!(answered, Some(Elicited::Cancelled));
    let slow = async {
        sleep(Duration::from_secs(5)).await;
        work.elicit(&asked).await;
        sleep(Duration::from_secs(6)).await;
    };
    assert_eq!(begun.work.follow(slow, Duration::from_secs(10)).await, None);
}

#[tokio::test]
async fn questions_are_bounded_in_number_and_nobody_is_asked_who_is_away() {
    let at_work = Arc::<AtWork>::default();
    let begun = at_work.begin(task("a"));
    for _ in 0..ELICITATIONS_MAX {
        assert_ne!(begun.work.elicit(&question()).await, Elicited::Declined);
    }
    assert_eq!(begun.work.elicit(&question()).await, Elicited::Declined);
    let away = at_work.begin(Arc::new(Task {
        is_away: true,
        ..Task::default()
    }));
    assert_eq!(away.work.elicit(&question()).await, Elicited::Declined);
    assert!(away.work.sample(sampling()).await.is_err());
}

fn sampling() -> Sampling {
    Sampling {
        system: String::new(),
        messages: Vec::new(),
        tokens_max: u32::MAX,
    }
}

#[tokio::test]
async fn a_model_is_asked_a_few_times_in_a_call_and_writes_a_bounded_number_of_tokens() {
    let at_work = Arc::<AtWork>::default();
    let begun = at_work.begin(task("a"));
    let mut tokens = 0;
    let mut refused = 0;
    for _ in 0..50 {
        match begun.work.sample(sampling()).await {
            Ok(sampled) => tokens += sampled.tokens,
            Err(_) => refused += 1,
        }
    }
    assert_eq!(tokens, SAMPLING_TOKENS_MAX);
    assert!(refused >= 50 - SAMPLINGS_MAX);
}
