using System.Globalization;
using System.Security.Cryptography.X509Certificates;

namespace Mux.Discovery.Etcd.Protocol;

/// <summary>A cluster of etcd and how to reach it, checked. Immutable. Not a record: its text must not show the password.</summary>
internal sealed class EtcdCluster
{
    /// <summary>The address for logs and errors, without secrets.</summary>
    public required string Name { get; init; }

    /// <summary>The addresses of the members, at least one.</summary>
    public required IReadOnlyList<Uri> Members { get; init; }

    /// <summary>The beginning of all keys, with the slash before the name of a server.</summary>
    public required byte[] KeyPrefix { get; init; }

    /// <summary>The user, or null.</summary>
    public required string? User { get; init; }

    /// <summary>The password, if there is a user.</summary>
    public required string? Password { get; init; }

    /// <summary>The certificate that is presented to the members, or null.</summary>
    public required X509Certificate2? Certificate { get; init; }

    /// <summary>The roots of the members' certificates; null for those of the system.</summary>
    public required X509Certificate2Collection? TrustedRoots { get; init; }

    /// <summary>Measures time limits and pauses.</summary>
    public required TimeProvider Time { get; init; }

    /// <summary>Returns the host and port of a member, as in logs.</summary>
    public static string Describe(Uri member) => string.Create(CultureInfo.InvariantCulture, $"{member.Host}:{member.Port}");
}
