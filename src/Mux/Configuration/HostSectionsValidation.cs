using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Options;

namespace Mux.Configuration;

/// <summary>
/// Finds sections that nothing reads: of a client whose name is written otherwise in code, or beside those of server and clients. Processes may share one file:
/// the section of the server stands in a process without one, and those of clients in a process that has no clients.
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
        where !IsAt(section, ConfigurationPaths.Server) && !IsAt(section, ConfigurationPaths.Clients)
        select $"{section.Path}: there is no such section; known are Server, Clients.";

    private IEnumerable<string> UnknownClients(IConfiguration configuration)
    {
        var names = registrations.Select(client => ConfigurationPaths.ClientName(client.Name)).Distinct(StringComparer.OrdinalIgnoreCase)
            .Order(StringComparer.Ordinal).ToList();
        if (names.Count == 0) return [];
        return from section in configuration.GetSection(ConfigurationPaths.Clients).GetChildren()
               where !names.Exists(name => Holds(section.Key, name))
               select $"{section.Path}: no client of this name was added; added are {string.Join(", ", names)}.";
    }

    /// <summary>A name with colons, such as that of a client named after its address, is a path in the configuration.</summary>
    private static bool Holds(string key, string name) => (name + ':').StartsWith(key + ':', StringComparison.OrdinalIgnoreCase);

    private static bool IsAt(IConfigurationSection section, string path) => string.Equals(section.Path, path, StringComparison.OrdinalIgnoreCase);
}
