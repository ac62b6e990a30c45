using System.Diagnostics.CodeAnalysis;
using Mux.Transports;
using Mux.Wire;

namespace Mux.Identity;

/// <summary>What an <see cref="MuxAuthenticator"/> has found out. Immutable.</summary>
public sealed class AuthenticationResult
{
    private AuthenticationResult(PeerIdentity? identity, string reason, ReadOnlyMemory<byte> proof = default)
    {
        Proof = proof;
        Identity = identity;
        Reason = reason;
    }

    /// <summary>Who the peer is; null if it is refused.</summary>
    public PeerIdentity? Identity { get; }

    /// <summary>Why it is refused; empty if it is not.</summary>
    public string Reason { get; }

    /// <summary>What the server shows of itself when it takes the credential; empty where the scheme has none.</summary>
    public ReadOnlyMemory<byte> Proof { get; }

    [MemberNotNullWhen(true, nameof(Identity))]
    internal bool IsSuccess => Identity is not null;

    /// <summary>The peer is known.</summary>
    /// <param name="identity">Its principal has an authenticated identity. Once it expires, calls fail unless the peer has shown another credential.</param>
    public static AuthenticationResult Success(PeerIdentity identity)
    {
        ArgumentNullException.ThrowIfNull(identity);
        return new(identity, string.Empty);
    }

    /// <summary>The peer is known, and is shown that this server is the right one (<see cref="MuxCredentials.GetExpectedProof"/>).</summary>
    /// <param name="identity">As without a proof.</param>
    /// <param name="proof">32 bytes that only the right server can make, such as an HMAC over <see cref="AuthenticationAttempt.Challenge"/> and the token. Not
    /// copied.</param>
    /// <exception cref="ArgumentException">The proof has another length.</exception>
    public static AuthenticationResult Success(PeerIdentity identity, ReadOnlyMemory<byte> proof)
    {
        ArgumentNullException.ThrowIfNull(identity);
        if (proof.Length != AuthAccepted.ProofLength)
        {
            throw new ArgumentException($"The proof is {proof.Length} bytes long; it must be {AuthAccepted.ProofLength}.", nameof(proof));
        }

        return new(identity, string.Empty, proof);
    }

    /// <summary>The peer is refused. It is told no more than that; the reason goes to the log.</summary>
    /// <param name="reason">For people. Nothing of the credential.</param>
    public static AuthenticationResult Fail(string reason)
    {
        ArgumentException.ThrowIfNullOrEmpty(reason);
        return new(null, reason);
    }
}
