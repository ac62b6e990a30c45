namespace Mux.Conformance.Suite;

/// <summary>What travels in which direction.</summary>
public enum CallKind
{
    /// <summary>One request, one reply.</summary>
    Unary,

    /// <summary>A stream of requests, one reply.</summary>
    RequestStream,

    /// <summary>One request, a stream of replies.</summary>
    ResponseStream,

    /// <summary>A stream each way.</summary>
    BothStreams,
}
