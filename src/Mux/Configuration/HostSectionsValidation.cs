using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Options;

namespace Mux.Configuration;

/// <summary>
/// Finds sections that nothing reads: of a client that the code names differently, or in addition to those of server and clients. Processes may share one file:
/// a section of the server is allowed in a process without a server, and sections of clients in a process without clients.
/// </summary>
internal sealed class HostSectionsValidation(IEnumerable<ClientRegistration> registrations, IConfiguration? configuration = null)
    : IValidateOptions<HostSections>
{
    public ValidateOptionsResult Validate(string? name, HostSections options)
    {
        if (configuration is null) return ValidateOptionsResult.Success;
        return OptionsValidation.Result([.. UnknownSections(configuration), .. UnknownClients(configuration)]);
    }

    private static IEnumerable<string> UnknownSections(IConfiguration configuration) =>
        from section in configuration.GetSection(ConfigurationPaths.Root).GetChildren()
        where !IsAt(section, ConfigurationPaths.Server) && !IsAt(section, ConfigurationPaths.Clients) && !IsAt(section, ConfigurationPaths.Gateway)
            && !IsAt(section, ConfigurationPaths.Redis)
        select $"{section.Path}: there is no such section; known sections: Server, Clients, Gateway, Redis.";

    private IEnumerable<string> UnknownClients(IConfiguration configuration)
    {
        var names = registrations.Select(client => ConfigurationPaths.ClientName(client.Name)).Distinct(StringComparer.OrdinalIgnoreCase)
            .Order(StringComparer.Ordinal).ToList();
        if (names.Count == 0) return [];
        return from section in configuration.GetSection(ConfigurationPaths.Clients).GetChildren()
               where !names.Exists(name => Holds(section.Key, name))
               select $"{section.Path}: no client of this name was added; added clients: {string.Join(", ", names)}.";
    }

    /// <summary>A name with colons, such as that of a client named after its address, is a path in the configuration.</summary>
    private static bool Holds(string key, string name) => (name + ':').StartsWith(key + ':', StringComparison.OrdinalIgnoreCase);

    private static bool IsAt(IConfigurationSection section, string path) => string.Equals(section.Path, path, StringComparison.OrdinalIgnoreCase);
}
