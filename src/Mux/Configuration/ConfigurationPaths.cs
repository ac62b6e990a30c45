namespace Mux.Configuration;

/// <summary>Where options stand in the configuration.</summary>
internal static class ConfigurationPaths
{
    public const string Root = "Mux";

    public const string Server = "Mux:Server";

    public const string Clients = "Mux:Clients";

    /// <summary>The name in the configuration of the client that has none.</summary>
    private const string DefaultClient = "Default";

    public static string Client(string? name) => $"{Clients}:{ClientName(name)}";

    public static string ClientName(string? name) => string.IsNullOrEmpty(name) ? DefaultClient : name;
}
