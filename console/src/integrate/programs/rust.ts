import { common, literal, type Program } from './program.js';

const ISSUER = '"665f1c2ab7e4a90012345678"';
const CURRENT =
  'r#"{"kty":"OKP","crv":"Ed25519","x":"Nn-jlifMJNDjo3cW89XNBk2PsVfX_2wMIyXYv-Ygx8g"}"#';
const NEXT = 'r#"{"kty":"OKP","crv":"Ed25519","x":"RgBAj-DKXegNqjfRUGJKENCiS7B8Y5shKVYGVjqi3YU"}"#';

export const rust: Program = {
  file: 'src/main.rs',
  install: {
    details: 'Not on crates.io yet: depend on the service repository.',
    blocks: [
      {
        place: 'Cargo.toml',
        lines: [
          '[dependencies]',
          'license-management-client = { path = "../license-management-service/sdk/rust" }',
        ],
      },
    ],
  },
  source: `use license_management_client::{License, LicenseError, Options};

const ISSUER: &str = "665f1c2ab7e4a90012345678";
const CURRENT: &str = r#"{"kty":"OKP","crv":"Ed25519","x":"Nn-jlifMJNDjo3cW89XNBk2PsVfX_2wMIyXYv-Ygx8g"}"#;
const NEXT: &str = r#"{"kty":"OKP","crv":"Ed25519","x":"RgBAj-DKXegNqjfRUGJKENCiS7B8Y5shKVYGVjqi3YU"}"#;

fn main() -> Result<(), LicenseError> {
    let license = License::new(Options {
        service: "https://licenses.example".into(),
        product: "com.example.web-shop".into(),
        issuer: ISSUER.into(),
        keys: vec![CURRENT.into(), NEXT.into()],
        folder: "/var/lib/web-shop".into(),
        machine_name: std::fs::read_to_string("/etc/hostname").ok().map(|name| name.trim().into()),
        ..Options::default()
    })?;
    let status = license.ensure(std::env::var("LICENSE_KEY").ok().as_deref())?;
    if !status.is_valid() {
        eprintln!("This program is not licensed: {}", status.state);
        std::process::exit(1);
    }
    match status.expires_at {
        Some(end) => println!("Licensed until {end}"),
        None => println!("Licensed"),
    }
    Ok(())
}
`,
  fill: (values) => [
    ...common(values),
    [ISSUER, literal(values.issuer)],
    [CURRENT, `r#"${JSON.stringify(values.current)}"#`],
    [NEXT, `r#"${JSON.stringify(values.next)}"#`],
  ],
};
