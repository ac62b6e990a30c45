namespace Mux.Configuration;

/// <summary>Paths of options in the configuration.</summary>
internal static class ConfigurationPaths
{
    public const string Root = "Mux";

    public const string Server = "Mux:Server";

    public const string Clients = "Mux:Clients";

    /// <summary>Read by the package Mux.Gateway. Processes without a gateway may share the file.</summary>
    public const string Gateway = "Mux:Gateway";

    /// <summary>Read by the package Mux.Redis. Processes without it may share the file.</summary>
    public const string Redis = "Mux:Redis";

    /// <summary>The section name of the client without a name.</summary>
    private const string DefaultClient = "Default";

    public static string Client(string? name) => $"{Clients}:{ClientName(name)}";

    public static string ClientName(string? name) => string.IsNullOrEmpty(name) ? DefaultClient : name;
}
