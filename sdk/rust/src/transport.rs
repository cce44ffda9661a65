//! One HTTP request within one deadline.

use crate::status::Reason;
use std::error::Error;
use std::fmt;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

/// Maximum length of a response body.
pub const MAX_BODY: usize = 65_536;

/// A POST request with JSON. Redirects must not be followed.
#[derive(Clone)]
#[non_exhaustive]
pub struct Request {
    /// The address.
    pub url: String,
    /// JSON.
    pub body: String,
    /// Timeout of the whole exchange, from the DNS query to the last byte of the response.
    pub timeout: Duration,
}

impl fmt::Debug for Request {
    /// Omits the body, because it contains the license key.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Request").field("url", &self.url).finish_non_exhaustive()
    }
}

/// A response with any status.
#[derive(Clone, Debug, Default)]
pub struct Response {
    /// The status code.
    pub status: u16,
    /// The header `Retry-After`.
    pub retry_after: Option<String>,
    /// At most 64 KiB and one byte are read, and only if the status is 200 or from 400 to 499.
    pub body: Vec<u8>,
}

/// Whether a response with this status may come from the service, so that its body counts. 407 comes from a proxy.
pub const fn is_decided_by_body(status: u16) -> bool {
    matches!(status, 200 | 400..=406 | 408..=428 | 430..=499)
}

/// Why there is no response.
#[derive(Debug)]
pub enum TransportError {
    /// The response did not arrive in time.
    Timeout,
    /// The server's TLS certificate is rejected: it has expired, is for another host or is from an unknown authority.
    Untrusted(Box<dyn Error + Send + Sync>),
    /// Anything else.
    Other(Box<dyn Error + Send + Sync>),
}

impl fmt::Display for TransportError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Timeout => formatter.write_str("no response in time"),
            Self::Untrusted(error) | Self::Other(error) => error.fmt(formatter),
        }
    }
}

impl Error for TransportError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Timeout => None,
            Self::Untrusted(error) | Self::Other(error) => Some(error.as_ref()),
        }
    }
}

impl TransportError {
    pub(crate) const fn reason(&self) -> Reason {
        match self {
            Self::Timeout => Reason::Timeout,
            Self::Untrusted(_) => Reason::UntrustedServer,
            Self::Other(_) => Reason::NoResponse,
        }
    }
}

/// Sends requests; implemented by the program's HTTP client. A closure with one argument is also a transport.
pub trait Transport: Send + Sync {
    /// Sends one request on a separate thread. Its result is ignored after the timeout.
    fn send(&self, request: &Request) -> Result<Response, TransportError>;
}

impl<Send> Transport for Send
where
    Send: Fn(&Request) -> Result<Response, TransportError> + std::marker::Send + Sync,
{
    fn send(&self, request: &Request) -> Result<Response, TransportError> {
        self(request)
    }
}

/// Sends a request and waits for the response until the timeout, regardless of what the transport does.
pub fn exchange(transport: &Arc<dyn Transport>, request: Request) -> Result<Response, TransportError> {
    let (sender, receiver) = mpsc::channel();
    let (transport, timeout) = (Arc::clone(transport), request.timeout);
    let send = move || {
        let _ = sender.send(transport.send(&request));
    };
    thread::Builder::new().spawn(send).map_err(|error| TransportError::Other(error.into()))?;
    receiver.recv_timeout(timeout).unwrap_or_else(|error| match error {
        mpsc::RecvTimeoutError::Timeout => Err(TransportError::Timeout),
        // The transport panicked.
        disconnected => Err(TransportError::Other(disconnected.into())),
    })
}

#[cfg(feature = "ureq")]
pub fn default_transport() -> Option<Arc<dyn Transport>> {
    Some(Arc::new(crate::ureq_transport::UreqTransport::new()))
}

#[cfg(not(feature = "ureq"))]
pub fn default_transport() -> Option<Arc<dyn Transport>> {
    None
}
