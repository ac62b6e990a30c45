namespace Mux.Identity;

/// <summary>What a peer has shown of itself.</summary>
public sealed class AuthenticationAttempt
{
    /// <summary>The credential; up to 8 KiB less the name of the scheme. Wiped when the attempt is decided: copy nothing that is not needed.</summary>
    public required ReadOnlyMemory<byte> Token { get; init; }

    /// <summary>32 random bytes that the server made for this credential and uses for no other.</summary>
    public required ReadOnlyMemory<byte> Challenge { get; init; }

    /// <summary>The certificate that this side has shown (<see cref="Transports.Link.ChannelBinding"/>); empty where it sees no TLS.</summary>
    public ReadOnlyMemory<byte> ChannelBinding { get; init; }

    /// <summary>The address that the peer connected from; empty where there is none.</summary>
    public required string RemoteAddress { get; init; }
}
