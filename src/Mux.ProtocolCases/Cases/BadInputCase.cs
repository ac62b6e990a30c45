using Mux.Sessions.Setup;

namespace Mux.ProtocolCases.Cases;

/// <summary>Bytes that a peer should not send, and what has to come of them.</summary>
/// <param name="Name">What they are, as PROTOCOL.md names the case.</param>
/// <param name="Bytes">What is received.</param>
/// <param name="Reaction">What follows.</param>
internal sealed record BadInputCase(string Name, byte[] Bytes, Reaction Reaction)
{
    /// <summary>How far the connection is when they come.</summary>
    public BadInputStage Stage { get; init; } = BadInputStage.Open;

    /// <summary>Which side receives them: null for either.</summary>
    public bool? Accepting { get; init; }

    /// <summary>Whether a call of this side with streams both ways is open in slot 3, generation 2.</summary>
    public bool HasOwnStream { get; init; }

    /// <summary>
    /// Whether a handler that has all it needs may answer the call before the input is whole, so that the rest crosses the answer and is discarded.
    /// </summary>
    public bool CrossesAnswer { get; init; }

    /// <summary>A challenge that is sent before <see cref="Bytes"/>, which come when the peer has answered it; empty for none.</summary>
    public byte[] Challenge { get; init; } = [];

    /// <summary>The proof in <see cref="Bytes"/>, an acceptance, for a client whose shared key is known; null if it is the same for any.</summary>
    public ForgedProof? Proof { get; init; }

    public ConnectionOptions Options { get; init; } = new();

    public override string ToString() => Name;
}
