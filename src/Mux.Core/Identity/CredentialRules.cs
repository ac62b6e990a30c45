using System.Net;
using Mux.Transports.Sockets;

namespace Mux.Identity;

/// <summary>To which servers a channel shows its credential, by its options. Immutable.</summary>
internal sealed record CredentialRules
{
    /// <summary>Where the channel connects.</summary>
    public required MuxAddress Address { get; init; }

    /// <summary>
    /// Whether the transport is one of Mux's own that send over a network. Of another one it is not known before it reports where a connection leads.
    /// </summary>
    public bool IsNetwork { get; init; }

    /// <summary>See <see cref="MuxChannelOptions.AllowPlaintext"/>.</summary>
    public bool AllowPlaintext { get; init; }

    /// <summary>See <see cref="MuxChannelOptions.RequireChallenge"/>.</summary>
    public bool RequireChallenge { get; init; } = true;

    /// <summary>Why a credential is not shown there, or null if it may be.</summary>
    /// <param name="credential">What it is called.</param>
    /// <param name="remoteAddress">Where the connection leads; empty before there is one.</param>
    /// <param name="isEncrypted">Whether the link has a channel binding.</param>
    public string? WhyWithheld(string credential, string remoteAddress, bool isEncrypted)
    {
        if (AllowPlaintext || isEncrypted || Address.Scheme is not (MuxAddress.TcpScheme or MuxAddress.WebSocketScheme) || !LeavesMachine(remoteAddress))
        {
            return null;
        }

        var place = remoteAddress.Length > 0 ? $"{Address} ({remoteAddress})" : Address.ToString();
        return $"The {credential} is not sent to {place}: that is another machine, and the connection is not encrypted. Connect to a {MuxAddress.TlsScheme} " +
            $"or {MuxAddress.SecureWebSocketScheme} address, or set {nameof(MuxChannelOptions.AllowPlaintext)} of the channel to true in a network that you " +
            $"trust.";
    }

    /// <summary>Why the channel does not stay at a server that did not ask for the credential, or null if it does.</summary>
    /// <param name="credential">What it is called.</param>
    public string? WhyNotUnasked(string credential) => !RequireChallenge ? null :
        $"The server at {Address} did not ask for the {credential}: it may be another server than the one that the channel is meant for. If the server " +
            $"knows its clients by other means, or serves anonymous clients, set {nameof(MuxChannelOptions.RequireChallenge)} of the channel to false.";

    private bool LeavesMachine(string remoteAddress)
    {
        // a name may lead anywhere
        if (!IPEndPoint.TryParse(remoteAddress, out var endPoint)) return (IsNetwork || remoteAddress.Length > 0) && !SocketEndPoints.IsLoopback(Address);
        return !IPAddress.IsLoopback(endPoint.Address.IsIPv4MappedToIPv6 ? endPoint.Address.MapToIPv4() : endPoint.Address);
    }
}
