namespace Mux.Client;

/// <summary>A scheme that a package of its own serves, because it needs the client of a foreign system.</summary>
/// <param name="Scheme">The scheme.</param>
/// <param name="Package">Name of the package.</param>
/// <param name="Call">The call that connects a client of a host to it.</param>
internal sealed record PackageScheme(string Scheme, string Package, string Call)
{
    private static readonly PackageScheme[] s_all =
    [
        new("mux+srv", "Mux.Discovery.Dns", "UseDnsSrv()"),
        new("muxs+srv", "Mux.Discovery.Dns", "UseDnsSrv()"),
        new("mux+service", "Mux.Discovery.ServiceDiscovery", "UseServiceDiscovery()"),
        new("muxs+service", "Mux.Discovery.ServiceDiscovery", "UseServiceDiscovery()"),
        new("mux+etcd", "Mux.Discovery.Etcd", "UseEtcd()"),
        new("mux+etcds", "Mux.Discovery.Etcd", "UseEtcd()"),
        new("mux+k8s", "Mux.Discovery.Kubernetes", "UseKubernetes()"),
        new("muxs+k8s", "Mux.Discovery.Kubernetes", "UseKubernetes()"),
    ];

    /// <summary>True if the servers speak TLS. Those of etcd have a scheme of their own each.</summary>
    public bool IsTls => Scheme.StartsWith($"{MuxAddress.TlsScheme}+", StringComparison.Ordinal);

    /// <summary>All schemes, for errors.</summary>
    public static string All { get; } = string.Join(", ", s_all.Select(known => known.Scheme));

    public static PackageScheme? Find(string scheme) => Array.Find(s_all, known => known.Scheme == scheme);

    /// <summary>Says what is missing to use an address with this scheme.</summary>
    public string Describe(string address) => $"'{address}' needs the package {Package}: install it, and call {Call} where the client is added to the host, " +
        "or set MuxChannelOptions.Endpoints.";
}
