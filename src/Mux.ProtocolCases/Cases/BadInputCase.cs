using Mux.Engine;
using Mux.Identity;

namespace Mux.ProtocolCases.Cases;

/// <summary>Bytes that a peer should not send, and the required reaction.</summary>
/// <param name="Name">Name of the case in PROTOCOL.md.</param>
/// <param name="Bytes">Bytes received.</param>
/// <param name="Reaction">Required reaction.</param>
internal sealed record BadInputCase(string Name, byte[] Bytes, Reaction Reaction)
{
    /// <summary>State of the connection when the bytes arrive.</summary>
    public BadInputStage Stage { get; init; } = BadInputStage.Open;

    /// <summary>Side that receives the bytes; null for either.</summary>
    public bool? Accepting { get; init; }

    /// <summary>True if a call of this side with streams in both directions is open in slot 3, generation 2.</summary>
    public bool HasOwnStream { get; init; }

    /// <summary>True if a handler may answer the call before the input is complete, so that the rest crosses the answer and is discarded.</summary>
    public bool CrossesAnswer { get; init; }

    /// <summary>A challenge to send before <see cref="Bytes"/>, which follow the peer's answer; empty for none.</summary>
    public byte[] Challenge { get; init; } = [];

    /// <summary>
    /// Creates the proof in <see cref="Bytes"/>, an acceptance, for a client with a known shared key; null if it is the same for all clients.
    /// </summary>
    public ForgedProof? Proof { get; init; }

    public ConnectionOptions Options { get; init; } = new();

    public override string ToString() => Name;

    /// <summary>Creates a proof that no server with the key would show.</summary>
    /// <param name="key">The client's key.</param>
    /// <param name="token">The client's token.</param>
    /// <param name="challenge">The challenge that the token answers.</param>
    /// <param name="channelBinding">Channel binding of the connection; empty without TLS.</param>
    internal delegate byte[] ForgedProof(SharedKey key, byte[] token, byte[] challenge, ReadOnlySpan<byte> channelBinding);
}
