use crate::transport::{MAX_BODY, Request, Response, Transport, TransportError, is_decided_by_body};
use std::io::{self, Read as _};
use ureq::{Agent, Body, http};

/// Sends requests with `ureq`, which uses the proxy from the environment.
pub struct UreqTransport(Agent);

impl UreqTransport {
    pub fn new() -> Self {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            // A program sends about one request a day.
            .max_idle_connections(0)
            .user_agent(concat!("license-management-client/", env!("CARGO_PKG_VERSION")));
        #[cfg(feature = "https")]
        let config = config.tls_config(
            // The system's certificate authorities.
            ureq::tls::TlsConfig::builder().root_certs(ureq::tls::RootCerts::PlatformVerifier).build(),
        );
        Self(config.build().new_agent())
    }

    fn exchange(&self, request: &Request) -> Result<http::Response<Body>, ureq::Error> {
        let config = self.0.post(&request.url).config().timeout_global(Some(request.timeout)).build();
        let typed = config.content_type("application/json").header("Accept", "application/json");
        typed.send(&request.body)
    }
}

impl Transport for UreqTransport {
    fn send(&self, request: &Request) -> Result<Response, TransportError> {
        let response = match self.exchange(request) {
            // The proxy requires a login.
            Err(ureq::Error::ConnectProxyFailed(reason)) if reason.contains("407") => {
                return Ok(Response { status: 407, ..Response::default() });
            }
            result => result.map_err(to_error)?,
        };
        let status = response.status().as_u16();
        let header = response.headers().get("Retry-After");
        let retry_after = header.and_then(|value| value.to_str().ok()).map(str::to_owned);
        let mut body = Vec::new();
        // For any other status, the body does not matter and may be cut off.
        if is_decided_by_body(status) {
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
        #[cfg(feature = "https")]
        ureq::Error::Rustls(error @ rustls::Error::InvalidCertificate(_)) => {
            TransportError::Untrusted(error.into())
        }
        other => TransportError::Other(other.into()),
    }
}

/// The body reader wraps errors of `ureq`, and the handshake wraps errors of `rustls`.
fn to_body_error(error: io::Error) -> TransportError {
    #[cfg(feature = "https")]
    let error = match error.downcast::<rustls::Error>() {
        Ok(error) => return to_error(error.into()),
        Err(error) => error,
    };
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
    fn a_timeout_wrapped_by_the_body_reader_counts_as_a_timeout() {
        let error = io::Error::other(ureq::Error::Timeout(ureq::Timeout::Global));
        assert!(matches!(to_body_error(error), TransportError::Timeout));
    }

    #[cfg(feature = "https")]
    #[test]
    fn only_a_rejected_certificate_makes_a_server_untrusted() {
        let expired = rustls::Error::InvalidCertificate(rustls::CertificateError::Expired);
        assert!(matches!(to_body_error(io::Error::other(expired)), TransportError::Untrusted(_)));
        let incomplete = rustls::Error::DecryptError;
        assert!(matches!(to_body_error(io::Error::other(incomplete)), TransportError::Other(_)));
    }
}
