//! Agents of coding programs as they lie in the wild: front matter that is no YAML, and permissions by tool.

use super::importing::{of, only, tells};
use crate::import::Import;
use shidi_protocol::{Mode, worded};

fn denied(text: &str) -> Vec<String> {
    only("reviewer.md", text).0.permissions.deny
}

#[test]
fn a_description_with_a_colon_outside_quotation_marks_is_read_and_told() {
    let text = "---\nname: reviewer\ndescription: Use this when: code changed.\\n\\nExamples:\\n- user: \"Look at it\" # now\n\
                tools: Read\ncolor: red\n---\nYou review.\n";
    let (spec, written, told) = only("reviewer.md", text);
    let description = worded(&spec.description, "en");
    assert!(
        description.starts_with("Use this when: code changed.\n\nExamples:\n")
            && description.ends_with("# now"),
        "{description}"
    );
    assert_eq!(worded(&spec.prompt, "en"), "You review.");
    assert!(
        tells(&told, 3, "description") && tells(&told, 5, "color"),
        "{told:?}"
    );
    let (again, _, _) = only("reviewer.yaml", &written);
    assert_eq!(again, spec);
}

#[test]
fn an_example_over_lines_that_are_not_indented_belongs_to_the_description() {
    let example = "a long tale. ".repeat(60);
    let text = format!(
        "---\nname: reviewer\ndescription: Use it. Examples:\n\n<example>\nContext: {example}\nuser: \"Go: on\"\n</example>\n\
         model: opus\n---\nYou review {{{{what}}}}.\n"
    );
    let (spec, written, told) = only("reviewer.md", &text);
    assert!(worded(&spec.description, "en").starts_with("Use it. Examples:\n\n<example>"));
    assert!(written.contains("Go: on"), "the whole of it is kept: {written}");
    assert!(
        tells(&told, 3, "is cut") && tells(&told, 9, "model") && tells(&told, 11, "{{what}}"),
        "{told:?}"
    );
}

#[test]
fn a_file_of_ours_is_read_strictly() {
    let import = of("a.yaml", "version: '1'\nname: a\ndescription: Use this when: x\n");
    assert!(import.assistants.is_empty());
    assert_eq!(import.refused[0].place.line, 3);
}

#[test]
fn tools_that_an_agent_may_not_use_are_denied() {
    let text = "---\nname: reviewer\ndescription: d\ntools: '*'\ndisallowedTools: Bash(rm *), Agent(a, b), WebFetch\n---\nx";
    let (spec, _, told) = only("reviewer.md", text);
    assert_eq!(spec.toolkits, None);
    assert_eq!(spec.permissions.deny, ["web.fetch"]);
    assert_eq!(spec.permissions.ask, ["agents.*", "shell.*"]);
    assert!(tells(&told, 5, "Bash(rm *)"), "{told:?}");
}

#[test]
fn an_agent_of_opencode_is_called_by_its_file_and_keeps_its_sampling_and_its_bounds() {
    let text = "---\ndescription: Reviews code\nmode: subagent\nmodel: anthropic/claude\ntemperature: 0.1\ntop_p: 0.9\n\
                tools:\n  write: false\n  bash: false\n  grep: true\n  mymcp_*: false\nsteps: 5\n---\n\nOnly look.\n";
    let (spec, written, told) = only("folder/code-review.md", text);
    assert_eq!(spec.name, "code-review");
    assert_eq!(worded(&spec.prompt, "en"), "Only look.");
    assert_eq!(
        (spec.sampling.temperature, spec.sampling.top_p),
        (Some(0.1), Some(0.9))
    );
    let deny = &spec.permissions.deny;
    for family in ["files.write", "files.edit", "files.delete", "shell.*"] {
        assert!(deny.iter().any(|one| one == family), "{family}: {deny:?}");
    }
    assert_eq!(spec.toolkits, None);
    for (line, what) in [(3, "mode"), (4, "model"), (11, "mymcp_*"), (12, "steps")] {
        assert!(tells(&told, line, what), "{what}: {told:?}");
    }
    assert_eq!(told.len(), 4, "{told:?}");
    assert!(
        written.contains("opencode_agent") && written.contains("steps: 5"),
        "{written}"
    );
}

#[test]
fn permissions_of_opencode_narrow_and_never_allow() {
    let text = "---\ndescription: d\npermission:\n  edit: deny\n  webfetch: ask\n  websearch: allow\n  read: allow\n  bash:\n    '*': ask\n    'git *': allow\n\
                \x20 external_directory: ask\n---\nx";
    let (spec, _, told) = only("reviewer.md", text);
    assert!(spec.permissions.deny.contains(&"files.move".to_owned()));
    assert_eq!(spec.permissions.ask, ["shell.*", "web.fetch"]);
    assert!(spec.permissions.allow.is_empty());
    assert!(
        tells(&told, 6, "websearch") && tells(&told, 8, "bash: *, git *"),
        "{told:?}"
    );
    assert_eq!(told.len(), 2, "{told:?}");
}

#[test]
fn a_permission_for_all_tools_is_a_list_or_a_mode() {
    let text = "---\ndescription: d\npermission:\n  '*': deny\n  read: allow\n  bash: ask\n---\nx";
    let (spec, _, _) = only("reviewer.md", text);
    assert_eq!(
        (spec.toolkits, spec.permissions.ask),
        (
            Some(["files.read", "shell"].map(str::to_owned).to_vec()),
            vec!["shell.*".to_owned()]
        )
    );
    let (spec, _, _) = only("reviewer.md", "---\ndescription: d\npermission: ask\n---\nx");
    assert_eq!(spec.permissions.mode, Some(Mode::Ask));
    let (spec, _, _) = only("reviewer.md", "---\ndescription: d\ntools:\n  '*': false\n---\nx");
    assert_eq!(spec.toolkits, Some(Vec::new()));
    assert_eq!(
        denied("---\ndescription: d\ntools: {bash: false}\npermission: {bash: ask}\n---\nx"),
        [""; 0],
        "the later word counts"
    );
}

#[test]
fn a_head_that_nothing_mends_is_refused_at_its_line() {
    let Import { assistants, refused } =
        of("a.md", "---\nname: a\ntools: [Read, Edit\ndescription: d\n---\nx");
    assert!(assistants.is_empty());
    assert!(refused[0].place.line >= 3, "{refused:?}");
    let twice = of("a.md", "---\nname: a\nname: b\n---\nx");
    assert!(matches!(
        twice.refused[..],
        [crate::problem::Fault {
            problem: crate::problem::Problem::Twice(_),
            ..
        }]
    ));
    let nobody = of("a.md", "---\ncolor: red\n---\nx");
    assert_eq!(nobody.refused.len(), 1);
}
