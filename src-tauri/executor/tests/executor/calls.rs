//! Calls: which reach the host, and the effect of its answers on the program.

use crate::common::{error, first_calls, kit, run, run_with, session, value};
use serde_json::{Value, json};
use shidi_executor::{CallAnswer, ExecutorError, Limits, Outcome, PendingCall, Program, Progress, Session};
use shidi_protocol::{CallOutcome, JsonMap};

fn reply(number: u32, data: Value) -> CallAnswer {
    CallAnswer {
        number,
        outcome: CallOutcome::success(data, "done"),
    }
}

fn calls(progress: Progress) -> Vec<PendingCall> {
    match progress {
        Progress::Calls(calls) => calls,
        Progress::Ended(outcome) => panic!("it ended: {:?}", outcome.error),
    }
}

fn ended(progress: Progress) -> Outcome {
    match progress {
        Progress::Ended(outcome) => outcome,
        Progress::Calls(calls) => panic!("it waits for {calls:?}"),
    }
}

fn args(call: &PendingCall) -> Value {
    Value::Object(call.args.clone())
}

#[test]
fn a_call_stops_the_program_until_it_is_answered() {
    let mut session = session();
    let made = first_calls(&mut session, "x = 1\n\nr = await kit.add(40, b=2)\nr + x");
    assert_eq!(made.len(), 1);
    let PendingCall {
        number,
        toolkit,
        method,
        args,
        line,
    } = made[0].clone();
    assert_eq!(
        (number, toolkit.as_str(), method.as_str(), line),
        (1, "kit", "add", 3)
    );
    assert_eq!(
        args,
        JsonMap::from_iter([("a".to_owned(), json!(40)), ("b".to_owned(), json!(2))])
    );
    let outcome = ended(session.resume(vec![reply(1, json!(42))]).expect("it is taken"));
    assert_eq!((outcome.value, outcome.error), (json!(43), None));
}

#[test]
fn positions_become_names_and_defaults_are_left_to_the_host() {
    let mut session = session();
    for (source, expected) in [
        ("await kit.read('a')", json!({"path": "a"})),
        ("await kit.read('a', 5)", json!({"path": "a", "lines": 5})),
        (
            "await kit.read(lines=5, path='a')",
            json!({"lines": 5, "path": "a"}),
        ),
        ("await kit.read(*['a'], **{'lines': None})", json!({"path": "a"})),
        (
            "await kit.echo((1, {'k': {2.5}}))",
            json!({"value": [1, {"k": [2.5]}]}),
        ),
        ("await kit.echo(None)", json!({"value": null})),
        ("await kit.echo(2 ** 63)", json!({"value": 1_u64 << 63})),
        ("await kit.now()", json!({})),
    ] {
        let made = first_calls(&mut session, source);
        assert_eq!(args(&made[0]), expected, "{source}");
        ended(
            session
                .resume(vec![reply(made[0].number, Value::Null)])
                .expect("it is taken"),
        );
    }
}

#[test]
fn arguments_that_do_not_fit_are_the_programs_error_and_never_reach_the_host() {
    let mut session = session();
    for (source, expected) in [
        (
            "await kit.read()",
            "TypeError: kit.read() missing required argument `path`; it takes (path: str, lines: int = null)",
        ),
        (
            "await kit.read(5)",
            "TypeError: kit.read(): argument `path` must be str, not int",
        ),
        (
            "await kit.read('a', lines='x')",
            "TypeError: kit.read(): argument `lines` must be int, not str",
        ),
        (
            "await kit.read('a', 1, 2)",
            "TypeError: kit.read() takes 2 arguments but 3 were given",
        ),
        (
            "await kit.read('a', path='b')",
            "TypeError: kit.read() got multiple values for argument `path`",
        ),
        (
            "await kit.read(pth='a')",
            "TypeError: kit.read() got an unexpected argument 'pth'. Did you mean 'path'?",
        ),
        (
            "await kit.echo(lambda: 1)",
            "TypeError: kit.echo(): argument 1: a function has no JSON form",
        ),
        (
            "await kit.echo(float('inf'))",
            "TypeError: kit.echo(): argument 1: the float inf has no JSON form",
        ),
        (
            "await kit.raed('a')",
            "AttributeError: toolkit 'kit' has no method 'raed'. Did you mean: 'read'?",
        ),
        (
            "x = kit.rubbish",
            "AttributeError: toolkit 'kit' has no method 'rubbish'",
        ),
    ] {
        let (outcome, made) = run_with(&mut session, source, &Limits::default(), Vec::new());
        assert_eq!(made, [], "{source}");
        let message = outcome.error.map(|error| error.message).unwrap_or_default();
        assert!(message.starts_with(expected), "{source}: {message}");
    }
    let caught = "try:\n    await kit.read(5)\nexcept TypeError as problem:\n    r = str(problem)\nr";
    assert_eq!(
        value(&mut session, caught),
        json!("kit.read(): argument `path` must be str, not int")
    );
}

#[test]
fn a_failed_call_is_an_exception_that_can_be_caught_by_its_name() {
    let mut session = session();
    for (kind, caught) in [
        ("FileNotFoundError", "OSError"),
        ("PermissionError", "PermissionError"),
        ("TimeoutError", "TimeoutError"),
        ("KeyError", "LookupError"),
        ("SomethingElse", "RuntimeError"),
    ] {
        let source = format!(
            "try:\n    await kit.fail('{kind}', 'no luck')\nexcept {caught} as problem:\n    r = str(problem)\nr"
        );
        let text = value(&mut session, &source);
        assert!(
            text.as_str().is_some_and(|text| text.contains("no luck")),
            "{kind}: {text}"
        );
    }
    assert_eq!(
        error(&mut session, "await kit.fail('ValueError', 'no luck')"),
        "ValueError: no luck"
    );
}

#[test]
fn gathered_calls_wait_together_and_are_answered_in_any_order_and_in_part() {
    let mut session = session();
    let source = "import asyncio\nawait asyncio.gather(*[kit.echo(i) for i in range(4)])";
    let made = first_calls(&mut session, source);
    assert_eq!(
        made.iter().map(|call| call.number).collect::<Vec<_>>(),
        [1, 2, 3, 4]
    );
    assert_eq!(
        made.iter().map(args).collect::<Vec<_>>(),
        [0, 1, 2, 3].map(|i| json!({"value": i}))
    );
    assert_eq!(
        calls(session.resume(vec![reply(3, json!("c"))]).expect("it is taken")),
        []
    );
    assert_eq!(calls(session.resume(Vec::new()).expect("it is taken")), []);
    assert_eq!(
        calls(
            session
                .resume(vec![reply(4, json!("d")), reply(1, json!("a"))])
                .expect("it is taken")
        ),
        []
    );
    let outcome = ended(session.resume(vec![reply(2, json!("b"))]).expect("it is taken"));
    assert_eq!(outcome.value, json!(["a", "b", "c", "d"]));
}

#[test]
fn tasks_that_go_on_make_their_next_calls_while_others_wait() {
    let mut session = session();
    let source = "import asyncio\nasync def work(name):\n    first = await kit.echo(name)\n    return await kit.echo(first + '!')\n\
                  await asyncio.gather(work('a'), work('b'))";
    let made = first_calls(&mut session, source);
    assert_eq!(made.len(), 2);
    let next = calls(
        session
            .resume(vec![reply(made[1].number, json!("b"))])
            .expect("it is taken"),
    );
    assert_eq!((next.len(), args(&next[0])), (1, json!({"value": "b!"})));
    let next_of_a = calls(
        session
            .resume(vec![reply(made[0].number, json!("a"))])
            .expect("it is taken"),
    );
    assert_eq!(args(&next_of_a[0]), json!({"value": "a!"}));
    assert_eq!(
        calls(
            session
                .resume(vec![reply(next_of_a[0].number, json!("A"))])
                .expect("it is taken")
        ),
        []
    );
    let outcome = ended(
        session
            .resume(vec![reply(next[0].number, json!("B"))])
            .expect("it is taken"),
    );
    assert_eq!(outcome.value, json!(["A", "B"]));
}

#[test]
fn one_misfit_among_gathered_calls_fails_alone() {
    let mut session = session();
    let source = "import asyncio\nr = await asyncio.gather(kit.echo(1), kit.read(5), kit.echo(2), return_exceptions=True)\n\
                  [(x.ok, x.data, x.error) for x in r]";
    let outcome = run(&mut session, source);
    let refused = json!([false, null, "kit.read(): argument `path` must be str, not int"]);
    assert_eq!(
        outcome.value,
        json!([[true, 1, null], refused, [true, 2, null]]),
        "{:?}",
        outcome.error
    );
}

#[test]
fn gather_without_return_exceptions_raises_the_first_failure() {
    let message = error(
        &mut session(),
        "import asyncio\nawait asyncio.gather(kit.echo(1), kit.fail('KeyError', 'gone'))",
    );
    assert_eq!(message, "KeyError: 'gone'");
}

#[test]
fn answers_that_nobody_asked_for_are_refused_and_change_nothing() {
    let mut session = session();
    assert!(matches!(
        session.resume(Vec::new()),
        Err(ExecutorError::NotRunning)
    ));
    let made = first_calls(&mut session, "await kit.echo(1)");
    assert!(matches!(
        session.resume(vec![reply(7, json!(1))]),
        Err(ExecutorError::NotAwaited { number: 7 })
    ));
    let twice = vec![reply(made[0].number, json!(1)), reply(made[0].number, json!(2))];
    assert!(matches!(
        session.resume(twice),
        Err(ExecutorError::NotAwaited { .. })
    ));
    assert_eq!(
        ended(
            session
                .resume(vec![reply(made[0].number, json!(5))])
                .expect("it is taken")
        )
        .value,
        json!(5)
    );
}

#[test]
fn a_call_that_is_never_awaited_is_not_performed_and_the_output_says_so() {
    let (outcome, made) = run_with(
        &mut session(),
        "x = 1\nkit.echo(1)\n'end'",
        &Limits::default(),
        Vec::new(),
    );
    assert_eq!(made, []);
    assert_eq!(outcome.value, json!("end"));
    assert!(
        outcome.stdout.contains("line 2: `kit.echo(…)` was never awaited"),
        "{}",
        outcome.stdout
    );
}

#[test]
fn a_method_is_a_value_that_can_be_passed_on() {
    let source = "async def twice(tool, x):\n    return await tool(await tool(x))\nawait twice(kit.add, 1)";
    assert_eq!(value(&mut session(), source), json!(3));
}

#[test]
fn calls_from_functions_comprehensions_and_loops_carry_their_line() {
    let source = "async def f(x):\n    return await kit.echo(x)\n\nr = [await f(i) for i in range(2)]\nfor i in range(1):\n    r.append(\n        await kit.add(1)\n    )\nr";
    let (outcome, made) = run_with(&mut session(), source, &Limits::default(), Vec::new());
    assert_eq!(outcome.value, json!([0, 1, 2]), "{:?}", outcome.error);
    assert_eq!(made.iter().map(|call| call.line).collect::<Vec<_>>(), [2, 2, 7]);
}

#[test]
fn a_call_from_a_function_of_an_earlier_program_has_no_line() {
    let mut session = session();
    run(&mut session, "async def f():\n    return await kit.now()");
    let made = first_calls(&mut session, "await f()");
    assert_eq!(made[0].line, 0);
}

#[test]
fn large_results_arrive_whole() {
    let mut session = session();
    let rows: Vec<Value> = (0..2000)
        .map(|i| json!({"id": i, "name": format!("row {i}"), "价": i as f64 / 3.0}))
        .collect();
    let made = first_calls(
        &mut session,
        "rows = await kit.now()\n(len(rows), rows[1999]['id'], sum([r['id'] for r in rows]))",
    );
    let outcome = ended(
        session
            .resume(vec![reply(made[0].number, json!(rows))])
            .expect("it is taken"),
    );
    assert_eq!(outcome.value, json!([2000, 1999, 1_999_000]));
    let kept = outcome.variables.iter().find(|variable| variable.name == "rows");
    assert_eq!(
        kept.and_then(|variable| variable.value.clone()),
        Some(json!(rows))
    );
}

#[test]
fn a_result_that_is_too_large_is_the_programs_error() {
    let mut session = session();
    let made = first_calls(
        &mut session,
        "try:\n    await kit.now()\nexcept ValueError as problem:\n    r = str(problem)\nr",
    );
    let huge = json!("x".repeat(40 << 20));
    let outcome = ended(
        session
            .resume(vec![reply(made[0].number, huge)])
            .expect("it is taken"),
    );
    assert!(
        outcome
            .value
            .as_str()
            .is_some_and(|text| text.contains("too large")),
        "{:?}",
        outcome.error
    );
}

#[test]
fn a_deeply_nested_argument_is_refused_not_followed() {
    let source = "x = []\nfor i in range(500):\n    x = [x]\nawait kit.echo(x)";
    assert!(error(&mut session(), source).contains("nests deeper"));
}

#[test]
fn an_abandoned_program_cannot_catch_its_end_and_leaves_its_variables() {
    let mut session = session();
    first_calls(
        &mut session,
        "x = 5\ntry:\n    await kit.now()\nexcept BaseException:\n    x = 6",
    );
    let outcome = ended(session.abandon().expect("it ends"));
    assert_eq!(
        outcome.error.map(|error| error.kind).as_deref(),
        Some("KeyboardInterrupt")
    );
    assert_eq!(outcome.lost, None);
    assert_eq!(value(&mut session, "x"), json!(5));
}

#[test]
fn the_same_answers_in_the_same_order_make_the_same_run() {
    let source = "import asyncio, random, time, datetime\n\
        async def step(i):\n    await asyncio.sleep(random.random())\n    return (await kit.echo(i), time.time())\n\
        r = await asyncio.gather(*[step(i) for i in range(5)])\n\
        (r, str(datetime.datetime.now()), random.choice('abcdef'), sorted({'x', 'y'}), list({'b', 'a', 'c'}))";
    let trace = |session: &mut Session| {
        let (outcome, made) = run_with(session, source, &Limits::default(), Vec::new());
        assert_eq!(outcome.error, None);
        (outcome.value, made)
    };
    let first = trace(&mut session());
    let mut warm = session();
    run(
        &mut warm,
        "import random\nrandom.random()\nx = [random.random() for i in range(10)]",
    );
    assert_eq!(first, trace(&mut session()));
    assert_eq!(first, trace(&mut warm));
}

#[test]
fn a_toolkit_may_not_be_named_by_a_program_but_the_name_may_be_used() {
    let mut session = session();
    assert_eq!(value(&mut session, "kit = [1]\nlen(kit)"), json!(1));
    assert_eq!(value(&mut session, "await kit.echo(2)"), json!(2));
    let toolkits = kit();
    let program = Program {
        source: "kit = 1",
        toolkits: &toolkits,
        variables: Vec::new(),
    };
    assert_eq!(
        ended(session.run(program, &Limits::default()).expect("it runs")).variables,
        []
    );
}
