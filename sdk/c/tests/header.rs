//! `include/license_management_client.h` matches the output of cbindgen. With `WRITE_HEADER=1` the test
//! writes the file.

use std::path::Path;
use std::{env, fs};

#[test]
fn the_header_matches_the_source() {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(crate_folder.join("cbindgen.toml")).unwrap();
    let mut written = Vec::new();
    cbindgen::generate_with_config(crate_folder, config).unwrap().write(&mut written);
    let written = without_safety(&String::from_utf8(written).unwrap());
    let header = crate_folder.join("include/license_management_client.h");
    if env::var_os("WRITE_HEADER").is_some() {
        fs::write(&header, &written).unwrap();
    }
    assert_eq!(fs::read_to_string(header).unwrap(), written);
}

/// The header has Rust's safety sections once, at its top.
fn without_safety(header: &str) -> String {
    let mut lines: Vec<&str> = Vec::new();
    let mut is_skipped = false;
    for line in header.lines() {
        is_skipped = line.starts_with("//") && (is_skipped || line == "// # Safety");
        if !is_skipped {
            // The empty line before it.
            if !line.starts_with("//") && lines.last() == Some(&"//") {
                lines.pop();
            }
            lines.push(line);
        }
    }
    lines.join("\n") + "\n"
}
