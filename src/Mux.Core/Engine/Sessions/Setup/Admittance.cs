namespace Mux.Engine;

/// <summary>The decision of <see cref="IAdmission"/> about a peer.</summary>
/// <param name="Access">What the peer may do; null if it may not stay.</param>
/// <param name="Reason">The reason of a rejection, only for this side's log.</param>
internal readonly record struct Admittance(PeerAccess? Access, string Reason)
{
    /// <summary>True if there is no decision: time ran out, or the authenticator failed. The peer is not at fault.</summary>
    public bool IsUndecided { get; init; }

    /// <summary>The proof that this side shows when it accepts the credential: 32 bytes, or empty if the scheme has none.</summary>
    public ReadOnlyMemory<byte> Proof { get; init; }
}
