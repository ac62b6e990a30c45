namespace Mux;

/// <summary>The status with which a call ended: the status codes of gRPC, with the same numbers and meanings.</summary>
public enum MuxStatus
{
    /// <summary>The call succeeded.</summary>
    Ok = 0,

    /// <summary>The call was cancelled, usually by its caller.</summary>
    Cancelled = 1,

    /// <summary>The handler failed and chose no status.</summary>
    Unknown = 2,

    /// <summary>The request is invalid in any state of the server, or could not be decoded.</summary>
    InvalidArgument = 3,

    /// <summary>The deadline passed before the call completed.</summary>
    DeadlineExceeded = 4,

    /// <summary>Something that the request names does not exist.</summary>
    NotFound = 5,

    /// <summary>Something that the request would create exists already.</summary>
    AlreadyExists = 6,

    /// <summary>The caller is authenticated but not allowed to make this call.</summary>
    PermissionDenied = 7,

    /// <summary>A limit was reached, such as a quota, the length of a queue or the size of a message.</summary>
    ResourceExhausted = 8,

    /// <summary>The system is not in the state that the request requires. Change the state before you send the request again.</summary>
    FailedPrecondition = 9,

    /// <summary>The operation was aborted because of a conflict; it may be retried from its start.</summary>
    Aborted = 10,

    /// <summary>The request reaches past the valid range.</summary>
    OutOfRange = 11,

    /// <summary>The server does not know the service or method.</summary>
    Unimplemented = 12,

    /// <summary>An invariant is broken, for example a reply that cannot be encoded or decoded.</summary>
    Internal = 13,

    /// <summary>The server cannot be reached or the connection was lost.</summary>
    Unavailable = 14,

    /// <summary>Data was permanently lost or corrupted.</summary>
    DataLoss = 15,

    /// <summary>The caller did not authenticate.</summary>
    Unauthenticated = 16,
}
