//! Runs a system command.

use std::io::{self, Read as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

const TIMEOUT: Duration = Duration::from_secs(5);

/// The output of a command. Fails if the command does, or if it exceeds the timeout.
pub fn run(program: &Path, arguments: &[&str]) -> io::Result<String> {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    // Opens no window.
    #[cfg(windows)]
    std::os::windows::process::CommandExt::creation_flags(&mut command, 0x0800_0000);
    let mut child = command.spawn()?;
    let mut output = child.stdout.take().expect("it is piped");
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = sender.send(output.read_to_end(&mut bytes).map(|_| bytes));
    });
    let Ok(bytes) = receiver.recv_timeout(TIMEOUT) else {
        child.kill()?;
        child.wait()?;
        return Err(io::ErrorKind::TimedOut.into());
    };
    if !child.wait()?.success() {
        return Err(io::Error::other("the command has failed"));
    }
    Ok(String::from_utf8_lossy(&bytes?).into_owned())
}

#[cfg(all(test, unix))]
mod tests {
    use super::run;
    use std::path::Path;

    #[test]
    fn the_output_of_a_command_is_returned_unless_it_fails() {
        let shell = |script| run(Path::new("/bin/sh"), &["-c", script]);
        assert_eq!(shell("echo out; echo err >&2").unwrap(), "out\n");
        assert!(shell("echo out; exit 1").is_err());
        assert!(run(Path::new("/nowhere"), &[]).is_err());
    }
}
