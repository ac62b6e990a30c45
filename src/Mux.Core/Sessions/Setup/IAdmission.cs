namespace Mux.Sessions.Setup;

/// <summary>Decides who may connect to this side: above this layer, what the user's options say. Safe for concurrent use.</summary>
internal interface IAdmission
{
    /// <summary>What a challenge names.</summary>
    IReadOnlyList<string> Schemes { get; }

    /// <summary>Whether who the link says the peer is is good enough, so that it is not asked.</summary>
    bool TakesIdentityOfLink { get; }

    /// <summary>Runs user code, on a thread that nobody else needs. Never throws, and ends within a bounded time whatever user code does.</summary>
    /// <param name="evidence">What is known of the peer; wiped when nobody looks at it any more.</param>
    /// <param name="ending">Cancelled when the connection is over.</param>
    Task<Admittance> DecideAsync(PeerEvidence evidence, CancellationToken ending);
}
