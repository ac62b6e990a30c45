using System.Collections.Frozen;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Mux.Configuration;
using Mux.Discovery;

namespace Mux.DependencyInjection;

/// <summary>The source of the servers of one client, if its address has one of some schemes.</summary>
internal sealed class SchemeSource
{
    private readonly string? _client;
    private readonly FrozenSet<string> _schemes;
    private readonly Func<MuxChannelOptions, IServiceProvider, IEndpointSource> _create;

    /// <param name="client">Name of the client; null for the client without a name.</param>
    /// <param name="schemes">The schemes.</param>
    /// <param name="create">See <see cref="IMuxClientBuilder.AddSource"/>.</param>
    /// <exception cref="ArgumentException">There is no scheme, or one is not allowed.</exception>
    public SchemeSource(string? client, IReadOnlyCollection<string> schemes, Func<MuxChannelOptions, IServiceProvider, IEndpointSource> create)
    {
        ArgumentNullException.ThrowIfNull(schemes);
        ArgumentNullException.ThrowIfNull(create);
        if (schemes.Count == 0) throw new ArgumentException("There is no scheme: expected at least one, such as mux+consul.", nameof(schemes));
        if (schemes.FirstOrDefault(scheme => !Uri.CheckSchemeName(scheme)) is { } wrong)
        {
            throw new ArgumentException(
                $"The scheme '{wrong}' is not allowed: expected a letter and then letters, digits, '+', '-' and '.', such as mux+consul, without ://.",
                nameof(schemes));
        }

        (_client, _create) = (client, create);
        _schemes = schemes.ToFrozenSet(StringComparer.Ordinal);
    }

    public void AddTo(IServiceCollection services) => services.AddOptions<MuxChannelOptions>(_client).PostConfigure<IServiceProvider>(Apply);

    private void Apply(MuxChannelOptions options, IServiceProvider provider)
    {
        int end = options.Address?.IndexOf("://", StringComparison.Ordinal) ?? -1;
        if (options.Endpoints is not null || end < 0 || !_schemes.Contains(options.Address![..end])) return;
        try
        {
            options.Endpoints = _create(options, provider);
        }
        catch (FormatException error)
        {
            throw Invalid(nameof(options.Address), error);
        }
        catch (ArgumentException error)
        {
            throw Invalid(null, error);
        }
    }

    /// <summary>A failure of the options, as that of any other option of the client.</summary>
    private OptionsValidationException Invalid(string? option, Exception error)
    {
        var path = ConfigurationPaths.Client(_client);
        var failure = $"{(option is null ? path : $"{path}:{option}")}: {error.Message}";
        return new OptionsValidationException(_client ?? Options.DefaultName, typeof(MuxChannelOptions), [failure]);
    }
}
