namespace Mux.Engine;

/// <summary>Decides which peers may connect to this side, as the user's options say. Implemented above this layer. Safe for concurrent use.</summary>
internal interface IAdmission
{
    /// <summary>Names of the schemes in a challenge.</summary>
    IReadOnlyList<string> Schemes { get; }

    /// <summary>True if the identity that the link gives to the peer is sufficient, so that no credential is asked for.</summary>
    bool TakesIdentityOfLink { get; }

    /// <summary>Decides about a peer. Runs user code, on a worker thread. Never throws, and ends within a bounded time whatever user code does.</summary>
    /// <param name="evidence">What is known of the peer; wiped when it is no longer used.</param>
    /// <param name="ending">Cancelled when the connection is over.</param>
    Task<Admittance> DecideAsync(PeerEvidence evidence, CancellationToken ending);
}
