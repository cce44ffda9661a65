use license_management_client::{License, Options};
use std::env;
use std::error::Error;
use std::process::ExitCode;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    // The response of GET /signing-keys. Paste it here: anyone who can change it at run time can license your software.
    let keys: serde_json::Value = serde_json::from_str(&env::var("SIGNING_KEYS")?)?;
    let license = License::new(Options {
        service: env::var("SERVICE")?,
        issuer: keys["issuer"].as_str().unwrap_or_default().to_owned(),
        product: "com.example.web-shop".into(),
        keys: vec![keys["current"].to_string(), keys["next"].to_string()],
        folder: env::current_dir()?.join(env::var("FOLDER")?),
        ..Options::default()
    })?;

    // The certificate of each start is new, so a revocation arrives at the next one.
    license.refresh();
    let status = license.ensure(env::var("KEY").ok().as_deref()).unwrap_or_else(|error| {
        eprintln!("{error}");
        license.status()
    });

    let Some(until) = status.valid_until.filter(|_| status.is_valid()) else {
        let reason = status.reason.map_or("no reason", |reason| reason.as_str());
        eprintln!("Not licensed: {} ({reason}).", status.state);
        return Ok(ExitCode::FAILURE);
    };
    println!("Licensed until {until} for {}.", status.services.join(" and "));
    Ok(ExitCode::SUCCESS)
}
