using Mux.Identity;

namespace Mux.Tool.Serving;

/// <summary>Options of the connections of a process, independent of its engine.</summary>
internal sealed record LinkOptions
{
    /// <summary>Null for the system's choice.</summary>
    public string? CongestionControl { get; init; }

    /// <summary>Why the congestion control is not the default one; null if it is, or was chosen.</summary>
    public string? CongestionNote { get; init; }

    /// <summary>Certificate file of a server at a <c>muxs</c> address; null for none.</summary>
    public string? CertificatePath { get; init; }

    /// <summary>Key file; null if the key is in the certificate file.</summary>
    public string? CertificateKeyPath { get; init; }

    /// <summary>File with the roots that a client trusts at <c>muxs</c> addresses; null for those of the system.</summary>
    public string? TrustedRootsPath { get; init; }

    /// <summary>Certificate file of a client at <c>muxs</c> addresses; null for none.</summary>
    public string? ClientCertificatePath { get; init; }

    /// <summary>Key file; null if the key is in the certificate file.</summary>
    public string? ClientCertificateKeyPath { get; init; }

    /// <summary>Credentials for servers that require authentication; null for none.</summary>
    public MuxCredentials? Credentials { get; init; }

    /// <summary>The shared key of the credentials, if they are one: a side that listens requires it of its clients.</summary>
    public SharedKey? SharedKey { get; init; }

    /// <summary>True to show the credentials to other machines without TLS.</summary>
    public bool AllowPlaintext { get; init; }

    /// <summary>True to reject a server that does not ask for the credentials.</summary>
    public bool RequireChallenge { get; init; } = true;
}
