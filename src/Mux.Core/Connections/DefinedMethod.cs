using Mux.Contracts;
using Mux.Wire;

namespace Mux.Connections;

/// <summary>A method that the peer has given a number, and what is asked of it for each request. Twenty-four bytes: a peer may define tens of thousands.</summary>
/// <param name="method">What runs its requests.</param>
/// <param name="maxMessage">Bytes of the longest request or item that it takes.</param>
/// <param name="fingerprint">What it is at the peer, if that says so.</param>
internal readonly struct DefinedMethod(InboundMethod method, int maxMessage, MethodFingerprint fingerprint)
{
    private readonly byte _streams = (byte)method.Streams;

    /// <summary>Whether this side has it.</summary>
    public bool IsServed { get; } = method.Descriptor is not null;

    /// <summary>Whether it is served, and its calls have no streams: what most requests are for.</summary>
    public bool IsPlain { get; } = method.Descriptor is not null && method.Streams == MethodShape.Unary;

    public InboundMethod Method { get; } = method;

    public int MaxMessage { get; } = maxMessage;

    /// <summary>What it is at the peer; unknown if that does not say.</summary>
    public MethodFingerprint Fingerprint { get; } = fingerprint;

    /// <summary>Whether its handler sees what a request says of itself.</summary>
    public bool ShowsOptions { get; } = method.Descriptor?.TakesOptions == true;

    /// <summary>The streams of its calls.</summary>
    public MethodShape Streams => (MethodShape)_streams;
}
