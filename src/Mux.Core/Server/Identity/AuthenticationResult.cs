using System.Diagnostics.CodeAnalysis;
using Mux.Protocol;
using Mux.Transports;

namespace Mux.Identity;

/// <summary>The result of a <see cref="MuxAuthenticator"/>. Immutable.</summary>
public sealed class AuthenticationResult
{
    private AuthenticationResult(PeerIdentity? identity, string reason, ReadOnlyMemory<byte> proof = default)
    {
        Proof = proof;
        Identity = identity;
        Reason = reason;
    }

    /// <summary>Gets the identity of the peer; null if the peer is rejected.</summary>
    public PeerIdentity? Identity { get; }

    /// <summary>Gets the reason for rejecting the peer; empty if the peer is accepted.</summary>
    public string Reason { get; }

    /// <summary>Gets the proof that the server presents to the peer when it accepts the credential; empty if the scheme has none.</summary>
    public ReadOnlyMemory<byte> Proof { get; }

    [MemberNotNullWhen(true, nameof(Identity))]
    internal bool IsSuccess => Identity is not null;

    /// <summary>Accepts the peer.</summary>
    /// <param name="identity">The identity; its principal must be authenticated. After it expires, calls fail unless the peer has presented another
    /// credential.</param>
    public static AuthenticationResult Success(PeerIdentity identity)
    {
        ArgumentNullException.ThrowIfNull(identity);
        return new(identity, string.Empty);
    }

    /// <summary>Accepts the peer, and proves the identity of the server to it (<see cref="MuxCredentials.GetExpectedProof"/>).</summary>
    /// <param name="identity">The identity; its principal must be authenticated. After it expires, calls fail unless the peer has presented another
    /// credential.</param>
    /// <param name="proof">32 bytes that only the right server can create, such as an HMAC over <see cref="AuthenticationAttempt.Challenge"/> and the token.
    /// Not copied.</param>
    /// <exception cref="ArgumentException">The proof has a different length.</exception>
    public static AuthenticationResult Success(PeerIdentity identity, ReadOnlyMemory<byte> proof)
    {
        ArgumentNullException.ThrowIfNull(identity);
        if (proof.Length != AuthAccepted.ProofLength)
        {
            throw new ArgumentException($"The proof is {proof.Length} bytes long; expected {AuthAccepted.ProofLength}.", nameof(proof));
        }

        return new(identity, string.Empty, proof);
    }

    /// <summary>Rejects the peer. The reason is logged; the peer does not learn it.</summary>
    /// <param name="reason">The reason, for people to read. It must not contain any part of the credential.</param>
    public static AuthenticationResult Fail(string reason)
    {
        ArgumentException.ThrowIfNullOrEmpty(reason);
        return new(null, reason);
    }
}
