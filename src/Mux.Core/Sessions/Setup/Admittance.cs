namespace Mux.Sessions.Setup;

/// <summary>The decision.</summary>
/// <param name="Access">What the peer may do; null if it may not stay.</param>
/// <param name="Reason">Why not, for this side's log alone.</param>
internal readonly record struct Admittance(PeerAccess? Access, string Reason)
{
    /// <summary>Whether nobody could tell: there was no time, or the authenticator failed. That is no fault of the peer's.</summary>
    public bool IsUndecided { get; init; }

    /// <summary>What this side shows of itself when it takes the credential: 32 bytes, or none where the scheme has none.</summary>
    public ReadOnlyMemory<byte> Proof { get; init; }
}
