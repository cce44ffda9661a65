//! Runs the scenarios of docs/sdk/scenarios.md: one command per line on standard input, one result per line on standard output.

use license_management_client::{License, LicenseError, Options, Status, Timestamp};
use serde_json::{Value, json};
use std::error::Error;
use std::io::{self, BufRead as _, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The clock, as the bits of a double.
type Clock = Arc<AtomicU64>;

fn main() -> Result<(), Box<dyn Error>> {
    let clock = Clock::default();
    let mut license = None;
    for line in io::stdin().lock().lines() {
        let command: Value = serde_json::from_str(&line?)?;
        let now = command["now"].as_f64().ok_or("no clock")?;
        clock.store(now.to_bits(), Ordering::SeqCst);
        let result = match command["do"].as_str() {
            Some("start") => License::new(options_of(&command["options"], &clock)?).map(|started| {
                license = Some(started);
                Value::Null
            }),
            _ => call(license.as_ref().ok_or("no license")?, &command),
        };
        let result = match result {
            Ok(value) => json!({ "returns": value }),
            Err(error) => json!({ "throws": {
                "code": error.code(),
                "message": error.message(),
                "retryAfter": error.retry_after().map(|wait| wait.as_secs()),
            } }),
        };
        writeln!(io::stdout(), "{result}")?;
    }
    Ok(())
}

fn options_of(options: &Value, clock: &Clock) -> Result<Options, Box<dyn Error>> {
    let text = |name: &str| options[name].as_str().unwrap_or_default().to_owned();
    let optional = |name: &str| options[name].as_str().map(str::to_owned);
    let clock = Arc::clone(clock);
    let keys = options["keys"].as_array().ok_or("no keys")?;
    let mut checked = Options {
        service: text("service"),
        issuer: text("issuer"),
        product: text("product"),
        keys: keys.iter().map(Value::to_string).collect(),
        folder: text("folder").into(),
        fingerprint: optional("fingerprint"),
        machine_name: optional("machineName"),
        released_at: optional("releasedAt"),
        allow_random_id: options["allowRandomId"].as_bool().unwrap_or(true),
        now: Some(Arc::new(move || f64::from_bits(clock.load(Ordering::SeqCst)))),
        ..Options::default()
    };
    if let Some(timeout) = options["timeout"].as_u64() {
        checked.timeout = Duration::from_millis(timeout);
    }
    Ok(checked)
}

fn call(license: &License, command: &Value) -> Result<Value, LicenseError> {
    let argument = command["argument"].as_str().unwrap_or_default();
    Ok(match command["method"].as_str().unwrap_or_default() {
        "status" => to_json(license.status()),
        "has" => license.status().has(argument).into(),
        "mayUpdateTo" => license.status().may_update_to(argument).into(),
        "ensure" => to_json(license.ensure(command["argument"].as_str())?),
        "activate" => to_json(license.activate(argument)?),
        "refresh" => to_json(license.refresh()),
        "heartbeat" => to_json(license.heartbeat()?),
        "release" => to_json(license.release()?),
        "request" => license.request()?.into(),
        "install" => to_json(license.install(argument)?),
        "forget" => license.forget().map(|()| Value::Null)?,
        other => panic!("{other} is no method"),
    })
}

fn to_json(status: Status) -> Value {
    let time = |time: Option<Timestamp>| time.map(|time| time.to_string());
    json!({
        "state": status.state.as_str(),
        "isValid": status.is_valid(),
        "validUntil": time(status.valid_until),
        "expiresAt": time(status.expires_at),
        "perpetual": status.perpetual,
        "updatesUntil": time(status.updates_until),
        "licensee": status.licensee,
        "plan": status.plan,
        "services": status.services,
        "entitlements": status.entitlements,
        "reason": status.reason.map(|reason| reason.as_str()),
    })
}
