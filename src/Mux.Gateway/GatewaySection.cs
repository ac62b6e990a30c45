using System.Globalization;
using Microsoft.Extensions.Configuration;

namespace Mux.Gateway;

/// <summary>Reads the routes of the configuration. An option that is not known, or has a wrong value, fails the start of the host.</summary>
internal static class GatewaySection
{
    public const string Path = "Mux:Gateway";

    private const string Routes = "Routes", Client = "Client", Policy = "Policy", Roles = "Roles", AllowAnonymous = "AllowAnonymous", Claims = "Claims";
    private const string MaxCalls = nameof(MuxRoute.MaxCalls), MaxRequestStreams = nameof(MuxRoute.MaxRequestStreams);

    /// <summary>Reads all routes.</summary>
    /// <param name="configuration">The configuration of the host; null if it has none.</param>
    /// <param name="mistakes">Gets what is wrong, each with its path.</param>
    public static IEnumerable<MappedRoute> Read(IConfiguration? configuration, List<string> mistakes)
    {
        if (configuration?.GetSection(Path) is not { } section) return [];
        foreach (var unknown in section.GetChildren().Where(static child => !Is(child, Routes)))
        {
            mistakes.Add($"{unknown.Path}: there is no such option; known options: {Routes}.");
        }

        return [.. section.GetSection(Routes).GetChildren().Select(route => ReadRoute(route, mistakes))];
    }

    private static MappedRoute ReadRoute(IConfigurationSection section, List<string> mistakes)
    {
        if (section.Value is { } client) return new MappedRoute(section.Key, client.Length == 0 ? null : client, null);
        bool isAnonymous = false;
        int? calls = null, requestStreams = null;
        foreach (var option in section.GetChildren())
        {
            if (Is(option, AllowAnonymous))
            {
                if (!bool.TryParse(option.Value, out isAnonymous)) mistakes.Add($"{option.Path}: '{option.Value}' is not true or false.");
            }
            else if (Is(option, MaxCalls))
            {
                calls = ReadCount(option, mistakes);
            }
            else if (Is(option, MaxRequestStreams))
            {
                requestStreams = ReadCount(option, mistakes);
            }
            else if (!Is(option, Client) && !Is(option, Policy) && !Is(option, Roles) && !Is(option, Claims))
            {
                mistakes.Add(string.Create(CultureInfo.InvariantCulture,
                    $"{option.Path}: there is no such option; known options: {AllowAnonymous}, {Claims}, {Client}, {MaxCalls}, {MaxRequestStreams}, ") +
                    $"{Policy}, {Roles}.");
            }
        }

        return new MappedRoute(section.Key, section[Client], route =>
        {
            route.AllowAnonymous = isAnonymous;
            route.Policy = section[Policy];
            route.Roles = section[Roles];
            route.Claims = section[Claims];
            route.MaxCalls = calls ?? route.MaxCalls;
            route.MaxRequestStreams = requestStreams ?? route.MaxRequestStreams;
        });
    }

    /// <returns>The number, whose range the route checks; null if it is none.</returns>
    private static int? ReadCount(IConfigurationSection option, List<string> mistakes)
    {
        if (int.TryParse(option.Value, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out int count)) return count;
        mistakes.Add($"{option.Path}: '{option.Value}' is not a number.");
        return null;
    }

    private static bool Is(IConfigurationSection section, string key) => string.Equals(section.Key, key, StringComparison.OrdinalIgnoreCase);
}
