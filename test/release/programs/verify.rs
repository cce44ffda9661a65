use license_management_client::{License, Options};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [folder, issuer, product, fingerprint, certificate, keys @ ..] = args.as_slice() else { panic!("{args:?}") };
    let license = License::new(Options {
        service: "https://licenses.example".into(),
        issuer: issuer.into(),
        product: product.into(),
        keys: keys.to_vec(),
        folder: folder.into(),
        fingerprint: Some(fingerprint.into()),
        ..Options::default()
    })
    .unwrap();
    match license.install(certificate) {
        Ok(status) => println!("{}", status.state.as_str()),
        Err(error) => println!("{}", error.code()),
    }
}
