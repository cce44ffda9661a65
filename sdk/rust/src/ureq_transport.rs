use crate::transport::{MAX_BODY, Request, Response, Transport, TransportError};
use std::io::{self, Read as _};
use ureq::Agent;

/// Requests with `ureq`, which uses the proxy of the environment.
pub struct UreqTransport(Agent);

impl UreqTransport {
    pub fn new() -> Self {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            // A program sends a request a day.
            .max_idle_connections(0)
            .user_agent(concat!("license-management-client/", env!("CARGO_PKG_VERSION")));
        #[cfg(feature = "https")]
        let config = config.tls_config(
            // The certificate authorities of the system.
            ureq::tls::TlsConfig::builder().root_certs(ureq::tls::RootCerts::PlatformVerifier).build(),
        );
        Self(config.build().new_agent())
    }
}

impl Transport for UreqTransport {
    fn send(&self, request: &Request) -> Result<Response, TransportError> {
        let response = self
            .0
            .post(&request.url)
            .config()
            .timeout_global(Some(request.timeout))
            .build()
            .content_type("application/json")
            .header("Accept", "application/json")
            .send(&request.body)
            .map_err(to_error)?;
        let status = response.status().as_u16();
        let header = response.headers().get("Retry-After");
        let retry_after = header.and_then(|value| value.to_str().ok()).map(str::to_owned);
        let mut body = Vec::new();
        // A redirect, a 429 and a 5xx say all by their status, though the body may break off.
        if status == 200 || (400..500).contains(&status) && status != 429 {
            let reader = response.into_body().into_reader();
            reader.take(MAX_BODY as u64 + 1).read_to_end(&mut body).map_err(to_body_error)?;
        }
        Ok(Response { status, retry_after, body })
    }
}

fn to_error(error: ureq::Error) -> TransportError {
    match error {
        ureq::Error::Timeout(_) => TransportError::Timeout,
        ureq::Error::Io(error) => to_body_error(error),
        other => TransportError::Other(other.into()),
    }
}

/// The reader of a body wraps the errors of `ureq`.
fn to_body_error(error: io::Error) -> TransportError {
    match error.downcast::<ureq::Error>() {
        Ok(error) => to_error(error),
        Err(error) if error.kind() == io::ErrorKind::TimedOut => TransportError::Timeout,
        Err(error) => TransportError::Other(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timeout_that_the_reader_of_a_body_wraps_is_one() {
        let error = io::Error::other(ureq::Error::Timeout(ureq::Timeout::Global));
        assert!(matches!(to_body_error(error), TransportError::Timeout));
    }
}
