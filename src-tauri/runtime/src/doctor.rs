//! `shidi doctor`: looks at everything Shidi depends on, each with a remedy.

use crate::clock;
use crate::engine::Engine;
use crate::key_errors;
use crate::model_choice;
use crate::storage;
use crate::words::Words;
use shidi_executor::{Limits, Program, Progress, Session, SpawnOptions};
use shidi_jobs as jobs;
use shidi_protocol::{Check, KeyKeeper, MemoryMeaning, Reply};
use shidi_toolkits::shell;
use std::sync::Arc;
use std::time::Duration;

/// Longest look for damage in the database.
const INTEGRITY_MOST: Duration = Duration::from_secs(10);

/// The examination as a reply.
pub async fn reply(engine: &Arc<Engine>) -> Reply {
    let checks = examine(engine).await;
    Reply::Doctor { checks }
}

/// Examines keychain, database, worker, sandbox, shell, model, desktop session and companion.
pub async fn examine(engine: &Arc<Engine>) -> Vec<Check> {
    let worker = {
        let engine = Arc::clone(engine);
        tokio::task::spawn_blocking(move || {
            let mut walls = worker(engine.words());
            walls.push(shell(engine.words()));
            (database(&engine), walls)
        })
        .await
    };
    let mut checks = Vec::new();
    match worker {
        Ok((database, worker)) => {
            checks.push(database);
            checks.extend(worker);
        }
        Err(cause) => checks.push(bad("database", cause.to_string(), "")),
    }
    checks.push(keychain(engine).await);
    checks.push(model(engine).await);
    checks.extend(meaning(engine).await);
    checks.push(local_servers(engine).await);
    checks.push(desktop(engine.words()));
    checks.push(companion(engine));
    checks
}

fn database(engine: &Engine) -> Check {
    let path = engine.store.path().display().to_string();
    match engine.store.check(INTEGRITY_MOST) {
        Ok(found) => good("database", format!("{path} ({found:?})")),
        Err(cause) => bad(
            "database",
            format!("{path}: {cause}"),
            storage::damaged_hint(engine.words()),
        ),
    }
}

fn worker(words: Words) -> Vec<Check> {
    let remedy = words.pick(
        "重新安装师弟：工作进程的程序要和它放在一起",
        "Install Shidi again: the worker must lie beside it",
    );
    let path = match shidi_executor::worker_path() {
        Ok(path) => path.display().to_string(),
        Err(cause) => return vec![bad("worker", cause.to_string(), remedy)],
    };
    let started = clock::now();
    let mut session = match Session::spawn(SpawnOptions::default()) {
        Ok(session) => session,
        Err(cause) => return vec![bad("worker", format!("{path}: {cause}"), remedy)],
    };
    let confinement = session.confinement().clone();
    let program = Program {
        source: "6 * 7",
        toolkits: &[],
        variables: Vec::new(),
    };
    let ran = matches!(session.run(program, &Limits::default()), Ok(Progress::Ended(outcome)) if outcome.value == serde_json::json!(42));
    let ms = clock::now().since(started);
    let worker = if ran {
        good("worker", format!("{path} ({ms} ms)"))
    } else {
        bad("worker", path, remedy)
    };
    let walls = confinement.walls.join(", ");
    let sandbox = if confinement.missing.is_empty() {
        good("sandbox", walls)
    } else {
        let missing = confinement.missing.join(", ");
        bad(
            "sandbox",
            format!("{walls}; {missing}"),
            words.pick("升级系统内核", "Use a newer kernel"),
        )
    };
    vec![worker, sandbox]
}

/// Whether commands can be confined.
fn shell(words: Words) -> Check {
    match shell::ready() {
        Ok(()) => good("shell", "bubblewrap".to_owned()),
        Err(cause) => {
            let told = jobs::no_walls(words, &cause);
            bad("shell", told.message, &told.hint.unwrap_or_default())
        }
    }
}

async fn keychain(engine: &Engine) -> Check {
    let words = engine.words();
    let keys = engine.models().keys().clone();
    let file = keys
        .file_path()
        .map(|path| path.display().to_string())
        .unwrap_or_default();
    let (keeper, cause) = keys.keeper().await;
    let trouble = cause.map(|cause| key_errors::explain(engine, &cause));
    let (message, hint) = trouble.map_or_else(Default::default, |trouble| {
        (trouble.message, trouble.hint.unwrap_or_default())
    });
    match keeper {
        KeyKeeper::Keychain => good("keychain", String::new()),
        KeyKeeper::File => good(
            "keychain",
            format!(
                "{message}; {} {file}",
                words.pick("密钥在加密文件里：", "keys are in an encrypted file:")
            ),
        ),
        KeyKeeper::LockedFile => bad(
            "keychain",
            format!(
                "{message}; {} {file}",
                words.pick(
                    "密钥在加密文件里，它锁着：",
                    "keys are in an encrypted file, which is locked:"
                )
            ),
            words.pick(
                "给出口令：shidi key unlock",
                "Give its passphrase: shidi key unlock",
            ),
        ),
        KeyKeeper::Nobody => bad("keychain", message, &hint),
    }
}

async fn model(engine: &Engine) -> Check {
    let words = engine.words();
    let choice = model_choice::configured(&engine.config());
    if choice.is_empty() {
        return good(
            "model",
            words
                .pick(
                    "没有设置模型：离线应答，靠规则和搜索，不是语言模型",
                    "None set: the offline planner answers by rules and search, it is no language model",
                )
                .to_owned(),
        );
    }
    let models = engine.models();
    let listed = match models.check_key(&choice, None).await {
        Ok(()) => models.list(&choice).await,
        Err(failure) => Err(failure),
    };
    match listed {
        Ok(listed) => good(
            "model",
            format!(
                "{} {} ({} {})",
                choice.provider.unwrap_or_default(),
                choice.model.unwrap_or_default(),
                listed.len(),
                words.pick("个模型可用", "models offered")
            ),
        ),
        Err(failure) => {
            let problem = shidi_agent::model_error(words.code(), &failure);
            bad("model", problem.message, &problem.hint.unwrap_or_default())
        }
    }
}

/// The model that makes vectors, where one is chosen.
async fn meaning(engine: &Engine) -> Option<Check> {
    let words = engine.words();
    let known = match engine.embeddings.progress().await {
        Ok(known) => known?,
        Err(cause) => return Some(bad("meaning", cause.to_string(), storage::damaged_hint(words))),
    };
    let remedy = words.pick(
        "换一个能生成向量的模型，或留空：shidi config set role.embedding 名字；在那以前只按词搜索",
        "Choose a model that makes vectors, or none: shidi config set role.embedding NAME; until then words alone find",
    );
    let MemoryMeaning {
        model,
        placed,
        of,
        trouble,
    } = known;
    Some(match trouble {
        Some(trouble) => bad("meaning", format!("{model}: {trouble}"), remedy),
        None => good("meaning", format!("{model} ({placed}/{of})")),
    })
}

async fn local_servers(engine: &Engine) -> Check {
    let found = engine.models().find_servers().await;
    let shown = found
        .iter()
        .map(|server| format!("{} ({}, {})", server.title, server.url, server.models.len()));
    let shown: Vec<String> = shown.collect();
    let none = engine
        .words()
        .pick("没有发现本机的模型服务", "no model server runs on this machine");
    let detail = if shown.is_empty() {
        none.to_owned()
    } else {
        shown.join(", ")
    };
    good("local models", detail)
}

fn desktop(words: Words) -> Check {
    let session = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    match (session("WAYLAND_DISPLAY"), session("DISPLAY")) {
        (Some(display), _) => good("desktop", format!("Wayland ({display})")),
        (None, Some(display)) => good("desktop", format!("X11 ({display})")),
        (None, None) => bad(
            "desktop",
            words.pick("没有显示环境", "There is no display").to_owned(),
            words.pick(
                "命令行照常可用；在桌面会话里启动才有窗口",
                "The command line works; start it in a desktop session for windows",
            ),
        ),
    }
}

/// Nobody needs one: that there is none is said, and is no fault.
fn companion(engine: &Engine) -> Check {
    let (pages, words) = (engine.pages.shown(), engine.words());
    let away = words.pick("不在", "away");
    let known = pages.browsers.iter().map(|browser| match browser.connected {
        true => browser.name.clone(),
        false => format!("{} ({away})", browser.name),
    });
    let known: Vec<String> = known.collect();
    let none = words.pick(
        "没有连接浏览器；要连接：shidi companion install",
        "no browser is connected; to connect one: shidi companion install",
    );
    match known.is_empty() {
        true => good("companion", none.to_owned()),
        false => good("companion", known.join(", ")),
    }
}

fn good(name: &str, detail: String) -> Check {
    Check {
        name: name.to_owned(),
        ok: true,
        detail,
        remedy: None,
    }
}

fn bad(name: &str, detail: String, remedy: &str) -> Check {
    let remedy = (!remedy.is_empty()).then(|| remedy.to_owned());
    Check {
        name: name.to_owned(),
        ok: false,
        detail,
        remedy,
    }
}
