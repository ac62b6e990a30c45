namespace Mux.Configuration;

/// <summary>Where options stand in the configuration.</summary>
internal static class ConfigurationPaths
{
    public const string Server = "Mux:Server";

    /// <summary>The name in the configuration of the client that has none.</summary>
    private const string DefaultClient = "Default";

    public static string Client(string? name) => "Mux:Clients:" + (string.IsNullOrEmpty(name) ? DefaultClient : name);
}
